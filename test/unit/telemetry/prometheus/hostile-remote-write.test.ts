import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decompress } from '../../../../src/telemetry/compression/decompress.js';
import { TooManyRecords } from '../../../../src/telemetry/otlp/validation/record-rejections.js';
import { validateExportRequest } from '../../../../src/telemetry/otlp/validation/validate-export-request.js';
import { MalformedBody, WireReader } from '../../../../src/telemetry/otlp/wire/wire-reader.js';
import { OversizedMessage } from '../../../../src/telemetry/otlp/wire/wire-writer.js';
import { ClassicHistogramCollector, toPartSeries } from '../../../../src/telemetry/prometheus/classic-histograms.js';
import { ExemplarStore } from '../../../../src/telemetry/prometheus/exemplar-store.js';
import type { PrometheusSeries } from '../../../../src/telemetry/prometheus/remote-write.js';
import { SymbolLabelReader } from '../../../../src/telemetry/prometheus/remote-write-labels.js';
import { SymbolTable } from '../../../../src/telemetry/prometheus/symbol-table.js';
import { translateRemoteWriteToProtobuf } from '../../../../src/telemetry/prometheus/remote-write-to-protobuf.js';
import { officialDecode } from '../../../support/official-otlp.js';
import {
  compressAsSnappyBlock,
  encodeVersion1,
  encodeVersion2,
  message,
  type SeriesModel,
  text,
  TYPES,
  varint,
  varintField,
} from '../../../support/remote-write-encoder.js';

const MS = 1_700_000_000_000;
const SERIES: readonly SeriesModel[] = [
  { labels: { __name__: 'up', job: 'a' }, samples: [{ value: 1, ms: MS }], type: TYPES.gauge },
  { labels: { __name__: 'x_bucket', le: '+Inf' }, samples: [{ value: 1, ms: MS }] },
  { labels: { __name__: 'x_sum' }, samples: [{ value: 1, ms: MS }] },
  {
    labels: { __name__: 'n' },
    histograms: [{ ms: MS, count: 1, sum: 1, schema: 3, positive: { spans: [[2, 1]], deltas: [1] } }],
    exemplars: [{ labels: { trace_id: 'x' }, value: 1, ms: MS }],
  },
];
const BODIES = [
  ['remote-write-1', encodeVersion1(SERIES, [{ name: 'up', type: TYPES.gauge }])],
  ['remote-write-2', encodeVersion2(SERIES)],
] as const;

const sampleMessage = message(2, [varintField(2, MS)]);
const requestOf = (parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);

describe('hostile requests of remote write', () => {
  it('that are cut off are malformed wherever they end', () => {
    for (const [format, body] of BODIES) {
      let refused = 0;
      for (let length = 0; length < body.length; length++)
        try {
          translateRemoteWriteToProtobuf(format, body.subarray(0, length));
        } catch (error) {
          assert.ok(error instanceof MalformedBody, String(error));
          refused++;
        }
      assert.ok(refused > body.length / 2);
    }
  });

  it('throw nothing else, whatever bytes they hold', () => {
    for (const [format, body] of BODIES)
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
          const mutated = Buffer.from(body);
          for (const [at, byte] of changes) mutated[at % mutated.length] = byte;
          try {
            officialDecode('metrics', translateRemoteWriteToProtobuf(format, mutated, 10_000).protobuf);
          } catch (error) {
            assert.ok(error instanceof MalformedBody || error instanceof OversizedMessage, String(error));
          }
        }),
        { numRuns: 2000 },
      );
  });

  it('with references to no symbol, or to half a pair, lose those series only', () => {
    const refer = (...references: number[]) =>
      message(5, [
        message(
          1,
          references.map((reference) => varint(reference)),
        ),
        sampleMessage,
      ]);
    const symbols = ['', '__name__', 'up'].map((symbol) => text(4, symbol));
    for (const [series, reason] of [
      [refer(1, 3), 'a reference to one of 3 symbols that does not exist'],
      [refer(1, 2 ** 40), 'a reference to one of 3 symbols that does not exist'],
      [refer(1, 2, 1), 'a label name without a value'],
      [refer(1, 2, 1, 2), 'two labels of the same name'],
      [refer(0, 2), 'a label without a name'],
      [message(5, [varintField(1, 1), varintField(1, 9), sampleMessage]), 'a reference to one of 3 symbols'],
      [refer(...new Array<number>(2002).fill(1)), 'more than 1000 labels'],
    ] as [Buffer, string][]) {
      const { counts, protobuf } = translateRemoteWriteToProtobuf(
        'remote-write-2',
        requestOf([...symbols, refer(1, 2), series]),
      );
      assert.equal(counts.countWritten([]).samples, 1, reason);
      assert.ok(protobuf.length > 0);
      assert.ok(counts.describe().startsWith(`1 sample rejected: 1 with ${reason}`), counts.describe());
    }
  });

  it('with labels that are not UTF-8 lose those series only', () => {
    const bad = Buffer.from([0xff]);
    const label = (name: string, value: Uint8Array) => message(1, [text(1, name), message(2, [value])]);
    const first = message(1, [label('__name__', Buffer.from('up')), label('x', bad), sampleMessage]);
    const second = [
      text(4, ''),
      text(4, '__name__'),
      message(4, [bad]),
      message(5, [message(1, [varint(1), varint(2)]), sampleMessage]),
    ];
    for (const { counts } of [
      translateRemoteWriteToProtobuf('remote-write-1', first),
      translateRemoteWriteToProtobuf('remote-write-2', requestOf(second)),
    ])
      assert.match(counts.describe(), /^1 sample rejected: 1 with a label that is not UTF-8/);
  });

  it('that announce more than they hold, or hold more than a request may, are refused', () => {
    const series = message(1, [message(1, [text(1, '__name__'), text(2, 'up')])]);
    assert.throws(
      () =>
        translateRemoteWriteToProtobuf(
          'remote-write-1',
          requestOf([Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])]),
        ),
      MalformedBody,
    );
    const many = message(1, [...new Array<Buffer>(500_001).fill(message(2, []))]);
    assert.throws(() => translateRemoteWriteToProtobuf('remote-write-1', many), TooManyRecords);
    const empty = Buffer.alloc(2 * 100_001, message(1, []));
    assert.throws(() => translateRemoteWriteToProtobuf('remote-write-1', empty), OversizedMessage);
    const symbols = Buffer.alloc(2 * 1_000_001, text(4, ''));
    assert.throws(() => translateRemoteWriteToProtobuf('remote-write-2', symbols), OversizedMessage);
    const wide = message(5, [
      message(1, new Array<Buffer>(1000).fill(varint(1))),
      ...new Array<Buffer>(1000).fill(sampleMessage),
    ]);
    assert.equal(translateRemoteWriteToProtobuf('remote-write-1', series).protobuf.length, 0);
    assert.throws(
      () =>
        translateRemoteWriteToProtobuf(
          'remote-write-2',
          requestOf([
            text(4, ''),
            text(4, 'x'.repeat(10_000)),
            text(4, '__name__'),
            message(5, [message(1, [varint(2), varint(1)]), ...new Array<Buffer>(3).fill(sampleMessage)]),
            wide,
          ]),
          10_000,
        ),
      OversizedMessage,
    );
  });

  it('with labels that are too long lose those series only, whatever they multiply', () => {
    const times = (count: number): Buffer[] =>
      Array.from({ length: count }, (_, i) => message(2, [varintField(2, MS + i)]));
    const long = 'x'.repeat(1 << 20);
    const label = (name: string, value: string) => message(1, [text(1, name), text(2, value)]);
    const first = requestOf([
      message(1, [label('__name__', 'up'), sampleMessage]),
      message(1, [label('__name__', 'x_bucket'), label('a', long), label('le', '+Inf'), ...times(2000)]),
    ]);
    const names = Array.from({ length: 1000 }, (_, i) => `n${i}`);
    const references = names.flatMap((_, i) => [varint(3 + i), varint(1003)]);
    const second = requestOf([
      ...['', '__name__', 'up', ...names, long].map((symbol) => text(4, symbol)),
      message(5, [message(1, [varint(1), varint(2)]), sampleMessage]),
      message(5, [message(1, references), ...times(2000), message(4, [message(1, references)])]),
    ]);
    for (const [format, body] of [
      ['remote-write-1', first],
      ['remote-write-2', second],
    ] as const) {
      const validation = validateExportRequest({
        gridId: 'g',
        signal: 'metrics',
        format,
        encoding: 'identity',
        body,
        oldestMs: 0,
        newestMs: MS + 10_000,
        maxInflatedBytes: 64 << 20,
      });
      assert.ok(validation.ok, format);
      assert.deepEqual([validation.accepted, validation.untranslated], [1, 2000]);
      assert.equal(
        validation.message,
        '2000 samples rejected: 2000 with labels larger than 65536 bytes (first in timeseries[1])',
      );
    }
  });

  it('with labels as long as they may be are written before they take much memory', () => {
    const collector = new ClassicHistogramCollector();
    let added = 0;
    for (; !collector.isFull && added < 1000; added++) {
      const attributes = [['a', `${added}${'x'.repeat(60_000)}`]] as const;
      const head = { name: 'x_sum', help: '', unit: '', resource: [], attributes };
      const series = toPartSeries({ head, type: 'histogram', isCounter: true }, undefined);
      collector.add({ series: series!, value: 1, timestampMs: 1n, startMs: 0n });
    }
    assert.ok(added < 100, String(added));
    assert.equal([...collector.take()].length, added);
    assert.equal(collector.isFull, false);

    const store = new ExemplarStore();
    const seriesOf = (i: number): PrometheusSeries => ({
      index: i,
      labels: [['a', `${i}${'x'.repeat(60_000)}`]],
      fault: undefined,
      metadata: undefined,
      createdMs: 0n,
      values: 0,
      visitSamples: () => undefined,
      visitHistograms: () => undefined,
      visitExemplars: (visit) => visit({ labels: [], value: 1, timestampMs: 1n }),
    });
    const all = Array.from({ length: 500 }, (_, i) => seriesOf(i));
    for (const one of all) store.add(one);
    const kept = all.filter(({ labels }) => store.find(labels) !== undefined).length;
    assert.ok(kept > 0 && kept < 200, String(kept));
  });

  it('decode a symbol once, and look none up for labels that cannot be taken', () => {
    const decoded: number[] = [];
    const bad = message(4, [Buffer.from([0xff])]);
    const symbols = new SymbolTable(requestOf([text(4, 'a'), bad]), 0x22, (_reader, from, to) => {
      decoded.push(from);
      return to - from === 1 && from < 4 ? 'a' : null;
    });
    for (let i = 0; i < 10; i++)
      assert.deepEqual(
        [0, 1, 2].map((reference) => symbols.find(reference)),
        ['a', undefined, undefined],
      );
    assert.equal(decoded.length, 2);
    for (const [reference, lookups, fault] of [
      [0, 2000, 'with more than 1000 labels'],
      [1, 1, 'with a label that is not UTF-8'],
      [2, 1, 'with a reference to one of 2 symbols that does not exist'],
    ] as const) {
      let found = 0;
      const reader = new SymbolLabelReader({
        size: 2,
        findSize: (of) => symbols.findSize(of),
        find: (of) => (found++, symbols.find(of)),
      });
      const field = message(1, new Array<Buffer>(10_000).fill(varint(reference)));
      const wire = new WireReader(field);
      reader.begin();
      assert.ok(reader.readField(wire, wire.readTag(field.length), field.length));
      assert.deepEqual([found, reader.finish()], [lookups, { labels: [], fault }]);
      assert.equal(wire.pos, field.length);
    }
  });

  it('of the other version are recognised', () => {
    const [[, first], [, second]] = BODIES;
    assert.throws(() => translateRemoteWriteToProtobuf('remote-write-1', second), /remote write 2.0/);
    assert.throws(() => translateRemoteWriteToProtobuf('remote-write-2', first), /remote write 1.0/);
  });

  it('are inflated within the limit', () => {
    const bomb = Buffer.concat([varint(2 ** 32 - 1), Buffer.from([0, 1])]);
    assert.equal(decompress(bomb, 'snappy', 1000).ok, false);
    const request = {
      gridId: 'g',
      signal: 'metrics',
      format: 'remote-write-1',
      encoding: 'snappy',
      oldestMs: 0,
      newestMs: MS,
      maxInflatedBytes: 1000,
    } as const;
    const large = compressAsSnappyBlock(Buffer.alloc(2000));
    assert.equal(validateExportRequest({ ...request, body: bomb }).ok, false);
    const refused = validateExportRequest({ ...request, body: large });
    assert.ok(!refused.ok && refused.fault === 'too-large');
  });

  it('are validated like those of OTLP, and what was written is counted by sample', () => {
    const body = compressAsSnappyBlock(
      encodeVersion1([
        { labels: { __name__: 'late_bucket', le: '+Inf' }, samples: [{ value: 1, ms: MS + 1000 }] },
        { labels: { __name__: 'late_sum' }, samples: [{ value: 1, ms: MS + 1000 }] },
        {
          labels: { __name__: 'up' },
          samples: [
            { value: 1, ms: MS },
            { value: 1, ms: 1 },
          ],
        },
        { labels: { x: 'y' }, samples: [{ value: 1, ms: MS }] },
      ]),
    );
    const validation = validateExportRequest({
      gridId: 'g',
      signal: 'metrics',
      format: 'remote-write-1',
      encoding: 'snappy',
      body,
      oldestMs: MS - 1000,
      newestMs: MS,
      maxInflatedBytes: 10_000,
    });
    assert.ok(validation.ok);
    assert.deepEqual(
      [validation.accepted, validation.rejected, validation.untranslated, validation.written],
      [1, [1, 2], 1, { samples: 1, histograms: 0, exemplars: 0 }],
    );
    assert.equal(
      validation.message,
      '1 sample rejected: 1 without the label __name__ (first in timeseries[3]); 2 data points rejected: 1 older than retention, 1 too far in the future',
    );
  });
});
