import { gather } from './gather.js';
import type { Section, SectionWriter } from './section.js';

/** Where the records of rows stand in the log: revision of the event, offset and length in its inflated body. */
export interface RecordPlaces {
  readonly revision: Uint32Array;
  readonly offset: Uint32Array;
  readonly length: Uint32Array;
}

/** Parts that `writePlaces` takes. */
export const PLACE_PARTS = 3;

/** An offset is kept as its distance from the end of the record before, which in one body is a few bytes. */
export function writePlaces(writer: SectionWriter, source: RecordPlaces, rows: Uint32Array): void {
  const revision = gather(source.revision, rows);
  const length = gather(source.length, rows);
  const distances = new Float64Array(rows.length);
  for (let i = 0, end = 0; i < rows.length; i++) {
    const offset = source.offset[rows[i]];
    distances[i] = offset - (i > 0 && revision[i] !== revision[i - 1] ? 0 : end);
    end = offset + length[i];
  }
  writer.numbers(revision).numbers(distances).numbers(length);
}

export function readPlaces(section: Section, firstPart: number): RecordPlaces {
  const revision = section.uint32(firstPart);
  const distances = section.float64(firstPart + 1);
  const length = section.uint32(firstPart + 2);
  const offset = new Uint32Array(revision.length);
  for (let row = 0, end = 0; row < offset.length; row++) {
    offset[row] = distances[row] + (row > 0 && revision[row] !== revision[row - 1] ? 0 : end);
    end = offset[row] + length[row];
  }
  return { revision, offset, length };
}
