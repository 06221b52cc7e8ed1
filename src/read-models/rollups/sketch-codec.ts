import { PackedSketch } from '../../diagnostics/rollups/packed-sketch.js';
import type { Sketch } from '../../diagnostics/rollups/sketch.js';
import type { ByteReader, ByteWriter } from './byte-codec.js';

/** Writes the sketch encoded, with a length prefix. */
export function writeSketch(writer: ByteWriter, sketch: Sketch): void {
  sketch.packTo(writer);
}

/** The sketch stays encoded in the bytes of the reader. */
export function readSketch(reader: ByteReader): Sketch {
  const start = reader.skipRun();
  return new PackedSketch(reader.bytes, start, reader.position);
}
