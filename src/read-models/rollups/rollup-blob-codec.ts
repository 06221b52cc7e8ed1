import { ByteReader, ByteWriter, DamagedRollup, type Intern } from './byte-codec.js';
import type { ExceptionRollup, Measures } from '../../diagnostics/rollups/rollup-types.js';
import { byText, sortIfNeeded } from './sorted-lists.js';
import { readVarintSketch } from '../../diagnostics/rollups/varint-sketch.js';
import { PackedSketch } from '../../diagnostics/rollups/packed-sketch.js';
import type { Sketch } from '../../diagnostics/rollups/sketch.js';

/** Writes the sketch encoded, with a length prefix. */
export function writeSketch(writer: ByteWriter, sketch: Sketch): void {
  sketch.packTo(writer);
}

/** The sketch stays encoded in the bytes of the reader. */
export function readSketch(reader: ByteReader): Sketch {
  const start = reader.skipRun();
  if (reader.hasVarintSketches) return readVarintSketch(reader.bytes, start, reader.position);
  return new PackedSketch(reader.bytes, start, reader.position);
}

const sharedWriter = new ByteWriter();

/**
 * Encodes a blob that starts with its format number. Format numbers are never reused, so that no blob is mistaken for
 * another kind.
 */
export function encodeRollupBlob(format: number, write: (writer: ByteWriter) => void): Uint8Array {
  sharedWriter.clear();
  sharedWriter.byte(format);
  write(sharedWriter);
  return sharedWriter.finish();
}

/** Numbers of a format that rollups of spans have had. */
export interface SpanRollupFormats {
  readonly current: number;
  /** Differs by its sketches only, see varint-sketch.ts. */
  readonly withVarintSketches: number;
}

/** Decodes a whole blob. The result may reference `bytes`, which must not change any more. */
export function decodeRollupBlob<T>(
  format: number | SpanRollupFormats,
  bytes: Uint8Array,
  read: (reader: ByteReader) => T,
  intern?: Intern,
): T {
  const reader = openBlobReader(format, bytes, intern);
  const value = read(reader);
  reader.expectEnd();
  return value;
}

/** Decodes only the beginning of a blob. */
export function decodeRollupPrefix<T>(
  format: number | SpanRollupFormats,
  bytes: Uint8Array,
  read: (reader: ByteReader) => T,
): T {
  return read(openBlobReader(format, bytes));
}

function openBlobReader(format: number | SpanRollupFormats, bytes: Uint8Array, intern?: Intern): ByteReader {
  const reader = new ByteReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), intern);
  const found = reader.byte();
  const current = typeof format === 'number' ? format : format.current;
  reader.hasVarintSketches = typeof format !== 'number' && found === format.withVarintSketches;
  if (found !== current && !reader.hasVarintSketches)
    throw new DamagedRollup(`rollup has format ${found} instead of ${current}`);
  return reader;
}

export function writeMeasures(
  writer: ByteWriter,
  { count, errors, durationNs, satisfied, tolerating, latency }: Measures,
): void {
  for (const value of [count, errors]) writer.varint(value);
  writer.sum(durationNs);
  for (const value of [satisfied, tolerating]) writer.varint(value);
  writeSketch(writer, latency);
}

export function readMeasures(reader: ByteReader): Measures {
  return {
    count: reader.varint(),
    errors: reader.varint(),
    durationNs: reader.varint(),
    satisfied: reader.varint(),
    tolerating: reader.varint(),
    latency: readSketch(reader),
  };
}

const byTypeAndMessage = (a: ExceptionRollup, b: ExceptionRollup): number =>
  byText(a.type, b.type) || byText(a.message, b.message);
const byNumber = (a: number, b: number): number => a - b;

export function writeExceptions(writer: ByteWriter, exceptions: readonly ExceptionRollup[]): void {
  writer.list(sortIfNeeded(exceptions, byTypeAndMessage), ({ type, message, count, ids }) => {
    writer.text(type);
    writer.text(message);
    writer.varint(count);
    let previous = 0;
    writer.list(sortIfNeeded(ids, byNumber), (id) => {
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
