import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readDurations, writeDurations } from '../../../../src/read-models/blocks/span-column-codec.js';
import { Section, SectionWriter } from '../../../../src/read-models/blocks/section.js';

const DAY_NS = 86_400_000_000_000;

function stored(durations: readonly number[]): Section {
  const writer = new SectionWriter();
  writeDurations(writer, Float64Array.from(durations));
  return new Section(writer.finish());
}

describe('column of durations', () => {
  it('is one part as long as that is exact', () => {
    assert.equal(stored([0, 5_000_001, 104 * DAY_NS]).parts, 1);
    assert.equal(stored([-1, 105 * DAY_NS]).parts, 2);
  });

  it('stores ordinary durations exactly next to one of a span that never ended', () => {
    const durations = [5_000_001, -1_760_000_000_123_456_768, 1_760_000_000_123_456_768, 999, 0, -1];
    assert.deepEqual([...readDurations(stored(durations))], durations);
  });

  it('restores every duration that two times can have', () => {
    const time = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    const near = fc.integer({ min: -1e9, max: 1e9 });
    const duration = fc.oneof(
      near,
      fc.tuple(time, time).map(([start, end]) => Number(end - start)),
    );
    fc.assert(
      fc.property(fc.array(duration, { minLength: 1, maxLength: 200 }), (durations) => {
        assert.deepEqual(
          [...readDurations(stored(durations))],
          durations.map((each) => each + 0),
        );
      }),
    );
  });
});
