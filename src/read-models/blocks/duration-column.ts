import { maxOf, minOf } from './gather.js';
import type { Section, SectionWriter } from './section.js';

const TWO_32 = 4_294_967_296;

/**
 * Durations in ns, of any sign: one part. Where they lie further apart than a double counts exactly (2^53 ns are 104 days:
 * a span that never ended, kept for ever), two parts, the upper and the lower 32 bits: no span may blur the others.
 */
export function writeDurations(writer: SectionWriter, nanos: Float64Array): void {
  if (maxOf(nanos) - minOf(nanos) <= Number.MAX_SAFE_INTEGER) {
    writer.numbers(nanos);
    return;
  }
  const upper = nanos.map((duration) => Math.floor(duration / TWO_32));
  writer.numbers(upper).numbers(nanos.map((duration, row) => duration - upper[row] * TWO_32));
}

/** What `writeDurations` wrote, as the only column of its blob. */
export function readDurations(section: Section): Float64Array {
  if (section.parts === 1) return section.float64(0);
  const lower = section.float64(1);
  return section.float64(0).map((upper, row) => upper * TWO_32 + lower[row]);
}
