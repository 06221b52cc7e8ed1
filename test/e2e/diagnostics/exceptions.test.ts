import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import {
  KIND,
  logsOf,
  spanId,
  spansOf,
  STATUS,
  traceId,
  type LogFields,
  type SpanFields,
} from '../../support/otlp-requests.js';

const MINUTE_MS = 60_000;
const WHOLE = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const ns = (ms: number): bigint => BigInt(ms) * 1_000_000n;
const iso = (ms: number): string => new Date(ms).toISOString();

type Event = NonNullable<SpanFields['events']>[number];

function thrown(time: bigint, type: string, message: string): Event {
  return {
    name: 'exception',
    time,
    attributes: [
      ['exception.type', type],
      ['exception.message', message],
    ],
  };
}

/** A failed request of three minutes ago. */
function failed(number: number, ...events: Event[]): SpanFields {
  const end = WHOLE - 3 * MINUTE_MS;
  return {
    traceId: traceId(number),
    spanId: spanId(number),
    name: 'GET /',
    kind: KIND.server,
    start: ns(end - 100),
    end: ns(end),
    status: { code: STATUS.error },
    events,
  };
}

function logged(span: SpanFields, message: string, time = span.end): LogFields {
  return {
    time,
    severityNumber: 17,
    body: 'failed',
    traceId: span.traceId,
    spanId: span.spanId,
    attributes: [
      ['exception.type', 'Boom'],
      ['exception.message', message],
    ],
  };
}

describe('exceptions of services', function () {
  this.timeout(60_000);
  let box: BlackBox;

  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  async function topErrors(service: string, fromMs = WHOLE - 10 * MINUTE_MS, toMs = WHOLE): Promise<unknown[]> {
    const { status, body } = await box.api.get<{
      topErrors: { exceptionType: string; message: string; count: number; percentage: number }[];
    }>(`/apm/diagnostics/${box.gridId}/service/${service}?rangeStart=${iso(fromMs)}&rangeEnd=${iso(toMs)}`);
    assert.equal(status, 200);
    return body.topErrors.map(({ exceptionType, message, count, percentage }) => [
      exceptionType,
      message,
      count,
      percentage,
    ]);
  }

  it('count once if both a span and a log record report them, in either order', async () => {
    const [one, other] = [
      failed(1, thrown(ns(WHOLE - 3 * MINUTE_MS - 50), 'Boom', 'bang')),
      failed(2, thrown(ns(WHOLE - 3 * MINUTE_MS - 50), 'Boom', 'bang')),
    ];
    await box.record('traces', spansOf('told', one));
    await box.record('logs', logsOf('told', logged(one, 'bang'), logged(other, 'bang')));
    await box.record('traces', spansOf('told', other));
    assert.deepEqual(await topErrors('told'), [['Boom', 'bang', 2, 100]]);
  });

  it('count once even if the log record is in the following minute', async () => {
    const span = failed(3, thrown(ns(WHOLE - 3 * MINUTE_MS - 50), 'Boom', 'bang'));
    await box.record('traces', spansOf('later', span));
    await box.record('logs', logsOf('later', logged(span, 'bang', span.end + ns(MINUTE_MS))));
    assert.deepEqual(await topErrors('later'), [['Boom', 'bang', 1, 100]]);
  });

  it('are grouped by type and message, with their percentage', async () => {
    const span = failed(4, thrown(ns(WHOLE - 3 * MINUTE_MS - 50), 'Boom', 'bang'));
    await box.record('traces', spansOf('many', span));
    await box.record('logs', logsOf('many', logged(span, 'other'), { ...logged(span, 'bang'), spanId: spanId(77) }));
    assert.deepEqual(await topErrors('many'), [
      ['Boom', 'bang', 2, 66.67],
      ['Boom', 'other', 1, 33.33],
    ]);
  });

  it('count with their span, whatever their own timestamps', async () => {
    const wrong = [0n, ns(Date.UTC(1990, 0, 1)), ns(Date.UTC(2100, 0, 1)), 2n ** 63n];
    await box.record('traces', spansOf('clocks', failed(5, ...wrong.map((time, i) => thrown(time, `E${i}`, '')))));
    assert.deepEqual(
      await topErrors('clocks'),
      wrong.map((_, i) => [`E${i}`, '', 1, 25]),
    );
  });
});
