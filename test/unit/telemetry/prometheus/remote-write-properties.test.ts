import assert from 'node:assert/strict';
import fc from 'fast-check';
import { translateRemoteWriteToProtobuf } from '../../../../src/telemetry/prometheus/remote-write-to-protobuf.js';
import { officialDecode } from '../../../support/official-otlp.js';
import { encodeVersion1, encodeVersion2, type SeriesModel } from '../../../support/remote-write-encoder.js';

/** A `job` becomes attributes of the resource. */
const name = fc.stringMatching(/^[a-z]{1,5}$/).filter((text) => text !== 'job');
const labels = fc
  .dictionary(name, fc.string({ minLength: 1, unit: 'grapheme' }), { maxKeys: 4 })
  .chain((rest) => name.map((metric) => ({ __name__: metric, ...rest })));
const series = fc.record({
  labels,
  samples: fc.array(
    fc.record({
      value: fc.oneof(fc.double({ noNaN: true }), fc.constant('stale' as const)),
      ms: fc.integer({ min: 1, max: 2 ** 42 }),
    }),
    { maxLength: 3 },
  ),
});

interface Decoded {
  readonly resourceMetrics?: {
    readonly scopeMetrics: {
      readonly metrics: {
        readonly name: string;
        readonly gauge: {
          readonly dataPoints: {
            readonly asDouble: number;
            readonly timeUnixNano: string;
            readonly attributes?: { readonly key: string; readonly value: { readonly stringValue: string } }[];
          }[];
        };
      }[];
    }[];
  }[];
}

/** All points, as lines of text. */
function listPoints(protobuf: Uint8Array): string[] {
  const { resourceMetrics = [] } = officialDecode('metrics', protobuf) as Decoded;
  return resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap((metric) =>
        metric.gauge.dataPoints.map(({ asDouble, timeUnixNano, attributes = [] }) =>
          toLine(
            metric.name,
            asDouble,
            timeUnixNano,
            attributes.map(({ key, value }) => [key, value.stringValue]),
          ),
        ),
      ),
    ),
  );
}

function toLine(metric: string, value: number, ns: string, attributes: readonly (readonly string[])[]): string {
  return JSON.stringify([metric, Object.is(value, -0) ? '-0' : String(value), ns, attributes]);
}

function listExpected(model: readonly SeriesModel[]): string[] {
  return model.flatMap(({ labels: { __name__: metric, ...rest }, samples = [] }) =>
    samples.flatMap(({ value, ms }) =>
      value === 'stale' ? [] : [toLine(metric, value, `${ms}000000`, Object.entries(rest))],
    ),
  );
}

describe('requests of remote write', () => {
  it('keep every sample with its value, time and labels, in their order, in both versions', () => {
    fc.assert(
      fc.property(fc.array(series, { maxLength: 6 }), (model) => {
        for (const { protobuf, counts } of [
          translateRemoteWriteToProtobuf('remote-write-1', encodeVersion1(model)),
          translateRemoteWriteToProtobuf('remote-write-2', encodeVersion2(model)),
        ]) {
          assert.deepEqual(listPoints(protobuf), listExpected(model));
          const samples = model.reduce((sum, each) => sum + each.samples.length, 0);
          assert.deepEqual(counts.countWritten([]), { samples, histograms: 0, exemplars: 0 });
          assert.equal(counts.untranslated, 0);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keep every observation of a native histogram, whatever its spans', () => {
    const histogram = fc
      .record({
        spans: fc.array(fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 5 })), {
          minLength: 1,
          maxLength: 5,
        }),
        first: fc.integer({ min: -3000, max: 3000 }),
        schema: fc.integer({ min: -4, max: 8 }),
      })
      .chain(({ spans, ...rest }) => {
        const size = spans.reduce((sum, [, length]) => sum + length, 0);
        return fc
          .array(fc.integer({ min: 0, max: 1000 }), { minLength: size, maxLength: size })
          .map((counts) => ({ ...rest, spans, counts }));
      });
    fc.assert(
      fc.property(histogram, ({ spans, first, schema, counts }) => {
        const total = counts.reduce((sum, count) => sum + count, 0);
        const deltas = counts.map((count, i) => count - (i === 0 ? 0 : counts[i - 1]));
        const placed = spans.map(([offset, length], i) => [i === 0 ? first : offset, length] as const);
        const model = { ms: 1, count: total, sum: 1, schema, positive: { spans: placed, deltas } };
        const body = encodeVersion1([{ labels: { __name__: 'h' }, histograms: [model] }]);
        const { protobuf, counts: translated } = translateRemoteWriteToProtobuf('remote-write-1', body);
        assert.equal(translated.untranslated, 0);
        assert.ok(protobuf.length < 30_000);
        const found = JSON.stringify(officialDecode('metrics', protobuf));
        const kept = /"positive":\{[^}]*"bucketCounts":\[([^\]]*)\]/.exec(found)?.[1] ?? '';
        const sum = kept.split(',').reduce((all, count) => all + Number(count.replaceAll('"', '')), 0);
        assert.equal(sum, total);
      }),
      { numRuns: 500 },
    );
  });
});
