import type { WireReader } from './wire-reader.js';

/** Moves to each field with this tag up to `limit`, and yields where it ends; goes on from there. */
export function* readMessages(reader: WireReader, wanted: number, limit: number): Generator<number> {
  while (reader.pos < limit) {
    const tag = reader.readTag(limit);
    if (tag !== wanted) reader.skip(tag, limit);
    else {
      const end = reader.readPayloadEnd(limit);
      yield end;
      reader.pos = end;
    }
  }
}
