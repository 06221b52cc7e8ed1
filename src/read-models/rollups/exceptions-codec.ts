import type { ExceptionRollup } from '../../diagnostics/rollups.js';
import type { ByteReader } from './byte-reader.js';
import type { ByteWriter } from './byte-writer.js';
import { byText, ordered } from './ordering.js';

const byName = (a: ExceptionRollup, b: ExceptionRollup): number => byText(a.type, b.type) || byText(a.message, b.message);
const byValue = (a: number, b: number): number => a - b;

export function writeExceptions(writer: ByteWriter, exceptions: readonly ExceptionRollup[]): void {
  writer.list(ordered(exceptions, byName), ({ type, message, count, ids }) => {
    writer.text(type);
    writer.text(message);
    writer.varint(count);
    let previous = 0;
    writer.list(ordered(ids, byValue), (id) => {
      writer.varint(id - previous);
      previous = id;
    });
  });
}

export function readExceptions(reader: ByteReader): ExceptionRollup[] {
  return reader.list(() => {
    const [type, message, count] = [reader.text(), reader.text(), reader.varint()];
    let id = 0;
    return { type, message, count, ids: reader.list(() => (id += reader.varint())) };
  });
}
