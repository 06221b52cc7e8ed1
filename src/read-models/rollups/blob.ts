import { ByteReader, DamagedRollup, type Intern } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';

const shared = new ByteWriter();

/** A blob that begins with the number of its format. Formats are never used twice, so that no blob is taken for another's. */
export function encodeBlob(format: number, write: (writer: ByteWriter) => void): Uint8Array {
  shared.clear();
  shared.byte(format);
  write(shared);
  return shared.finish();
}

/** What is decoded may keep a hold on `bytes`: they must not change any more. */
export function decodeBlob<T>(format: number, bytes: Uint8Array, read: (reader: ByteReader) => T, intern?: Intern): T {
  const reader = readerOf(format, bytes, intern);
  const value = read(reader);
  reader.end();
  return value;
}

/** The same of what stands first in the blob, for those who need no more of it. */
export function decodeFront<T>(format: number, bytes: Uint8Array, read: (reader: ByteReader) => T): T {
  return read(readerOf(format, bytes));
}

function readerOf(format: number, bytes: Uint8Array, intern?: Intern): ByteReader {
  const reader = new ByteReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), intern);
  const found = reader.byte();
  if (found !== format) throw new DamagedRollup(`rollup has format ${found} instead of ${format}`);
  return reader;
}
