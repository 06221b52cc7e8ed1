import type { Measures } from '../../diagnostics/rollups.js';
import type { ByteReader } from './byte-reader.js';
import type { ByteWriter } from './byte-writer.js';
import { readSketch, writeSketch } from './sketch-codec.js';

export function writeMeasures(writer: ByteWriter, { count, errors, durationNs, satisfied, tolerating, latency }: Measures): void {
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
