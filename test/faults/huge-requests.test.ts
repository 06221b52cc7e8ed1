import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  ANY_VALUE,
  KEY_VALUE,
  KEY_VALUE_LIST,
  SCOPE_ITEMS,
  SPAN,
} from '../../src/telemetry/otlp/wire/otlp-field-tags.js';
import { reportMeasurements } from '../support/faults/figures.js';
import { HAS_BUDGET, scaleToBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { OtlpWriter, type Value } from '../support/generator/otlp-writer.js';
import { Batches, type Batch } from '../support/load/batches.js';
import { measureLiveResponses } from '../support/load/live-responses.js';
import { percentile } from '../support/load/load-generator.js';
import { MIB, ProcessWatch } from '../support/load/process-watch.js';
import { HttpSender, sendBatchUntilAcknowledged } from '../support/load/senders.js';

const SPANS = scaleToBudget('HUGE_SPANS', 10_000, 500_000);
const ATTRIBUTES = scaleToBudget('HUGE_ATTRIBUTES', 20_000, 100_000);
const TEXT_MIB = scaleToBudget('HUGE_TEXT_MIB', 8, 60);
const DEEP = 10_000;
const MEMORY_BOUND = 1_536 * MIB;

describe(`requests of ${SPANS} spans, ${ATTRIBUTES} attributes and ${TEXT_MIB} MiB in one`, function () {
  this.timeout(300_000);
  let trial: Trial;
  let sender: HttpSender;
  before(async () => {
    trial = await Trial.start();
    sender = new HttpSender(trial.service.ports.otlpHttpPort, trial.apiKey, 2);
  });
  after(async () => {
    sender.close();
    await trial.dispose();
  });

  const spanId = randomBytes(8);

  /** One root span with the fields written by `write`. */
  function oneSpan(id: Uint8Array, write: (writer: OtlpWriter) => void): Batch {
    const writer = new OtlpWriter();
    const end = BigInt(Date.now()) * 1_000_000n;
    writer.resourceItems({ 'service.name': 'huge' }, () => {
      const span = writer.beginField(SCOPE_ITEMS.record);
      writer.writeBytesField(SPAN.traceId, randomBytes(16));
      writer.writeBytesField(SPAN.spanId, id);
      writer.time(SPAN.start, end);
      writer.time(SPAN.end, end);
      write(writer);
      writer.endField(span);
    });
    return { signal: 'traces', records: 1, body: writer.finish() };
  }

  const many: Readonly<Record<string, Value>> = Object.fromEntries(
    Array.from({ length: ATTRIBUTES }, (_, n) => [`key ${n}`, n]),
  );
  /** `accepted`: a span of more than 4 MiB is rejected by partial success, which is also a final response. */
  const huge: readonly { readonly name: string; readonly batch: () => Batch; readonly accepted: number }[] = [
    { name: 'many spans', accepted: SPANS, batch: () => new Batches('traces', SPANS).next() },
    {
      name: 'many attributes',
      accepted: 1,
      batch: () => oneSpan(spanId, (writer) => writer.attributes(SPAN.attribute, many)),
    },
    {
      name: 'a long text',
      accepted: 0,
      batch: () =>
        oneSpan(randomBytes(8), (writer) =>
          writer.attribute(SPAN.attribute, 'text', 'long '.repeat((TEXT_MIB * MIB) / 5)),
        ),
    },
  ];
  for (const { name, batch, accepted } of huge) {
    it(`${name}: gets a final response in bounded memory`, async () => {
      const request = batch();
      const watch = new ProcessWatch(trial.service.pid);
      let over = false;
      const liveResponses = measureLiveResponses(trial.service.apiUrl, () => over);
      const began = performance.now();
      await sendBatchUntilAcknowledged(sender, request);
      const ackMs = performance.now() - began;
      trial.acknowledged('traces', accepted);
      await trial.settle(`what is accepted of ${name} is found`, 60_000);
      over = true;
      reportMeasurements(`huge requests, ${name}`, {
        MiB: (request.body.length / MIB).toFixed(1),
        'ack ms': Math.round(ackMs),
        'found after ms': Math.round(performance.now() - began),
        '/live max ms': Math.round(percentile(await liveResponses, 1)),
        'largest RSS MiB': Math.round(watch.end().largest / MIB),
      });
      assert.ok(watch.largest < MEMORY_BOUND, `${Math.round(watch.largest / MIB)} MiB`);
    });
  }

  it('are returned, and found by their last attributes', async () => {
    const range = {
      rangeStart: new Date(Date.now() - 600_000).toISOString(),
      rangeEnd: new Date(Date.now() + 60_000).toISOString(),
    };
    const { status, body } = await trial.api.post<{ totalCount: number }>(`/apm/traces/${trial.gridId}`, {
      ...range,
      tags: { [`key ${ATTRIBUTES - 1}`]: ATTRIBUTES - 1 },
    });
    assert.deepEqual([status, body.totalCount], [200, 1]);
    const { status: shown } = await trial.api.get(`/apm/traces/${trial.gridId}/spans/${spanId.toString('hex')}/tags`);
    assert.equal(shown, 200);
  });

  it(`lists nested ${DEEP} deep are rejected without side effects`, async () => {
    const nested = (depth: number): Uint8Array => {
      let value: Buffer = Buffer.alloc(0);
      for (let n = 0; n < depth; n++)
        value = wrap(wrap(wrap(value, KEY_VALUE.value), KEY_VALUE_LIST.value), ANY_VALUE.kvlist);
      return value;
    };
    const request = oneSpan(randomBytes(8), (writer) => {
      const pair = writer.beginField(SPAN.attribute);
      writer.writeTextField(KEY_VALUE.key, 'deep');
      writer.writeBytesField(KEY_VALUE.value, nested(DEEP));
      writer.endField(pair);
    });
    const { status } = await sender.send(request);
    assert.ok(status === 200 || status === 400, String(status));
    await trial.settle('none of them was stored');
    if (HAS_BUDGET) await trial.verify();
  });
});

function wrap(value: Uint8Array, tag: number): Buffer {
  const writer = new OtlpWriter();
  writer.writeBytesField(tag, value);
  return writer.finish();
}
