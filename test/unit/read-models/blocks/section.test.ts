import assert from 'node:assert/strict';
import fc from 'fast-check';
import { byteWidth, Section, SectionWriter } from '../../../../src/read-models/blocks/section.js';

describe('sections of a blob', () => {
  it('give back the numbers and bytes that were written, part by part', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.array(fc.maxSafeInteger()).map(halves),
            fc.array(fc.integer({ min: 0, max: 300 })),
            fc.uint8Array(),
          ),
        ),
        fc.constantFrom('numbers' as const, 'text' as const),
        (parts, kind) => {
          const writer = new SectionWriter(kind);
          for (const part of parts)
            if (part instanceof Uint8Array) writer.bytes(part);
            else writer.numbers(Float64Array.from(part));
          const section = new Section(writer.finish());
          parts.forEach((part, index) => {
            assert.equal(section.count(index), part.length);
            const read = part instanceof Uint8Array ? section.bytes(index) : section.float64(index);
            assert.deepEqual([...read], [...part]);
          });
        },
      ),
    ));

  it('compress runs and skewed values, and leave noise alone', () => {
    const noise = Uint32Array.from({ length: 8192 }, (_, i) => Math.imul(i + 1, 2654435761));
    const runs = Uint32Array.from({ length: 8192 }, (_, i) => i >>> 8);
    const skewed = Uint32Array.from({ length: 8192 }, (_, i) => (i % 7 === 0 ? (i * 31) % 5 : 1));
    assert.ok(new SectionWriter().numbers(noise).finish().length < 8192 * 4 + 64);
    assert.ok(new SectionWriter().numbers(runs).finish().length < 300);
    assert.ok(new SectionWriter().numbers(skewed).finish().length < 8192 / 3);
  });

  it('read numbers on another base', () => {
    const section = new Section(new SectionWriter().numbers(Float64Array.of(1e15 + 7, 1e15, 1e15 + 300)).finish());
    assert.deepEqual([...section.numbers(0, new Uint32Array(3), 0)], [7, 0, 300]);
    assert.equal(section.width(0), 2);
  });

  it('know how many bytes a number takes', () => {
    assert.deepEqual(
      [0, 1, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1].map(byteWidth),
      [0, 1, 1, 2, 2, 3, 4, 5, 7],
    );
  });
});

/** Numbers whose differences stay exact. */
function halves(values: number[]): number[] {
  return values.map((value) => Math.trunc(value / 2) + 0);
}
