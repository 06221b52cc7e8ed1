import { Sketch } from '../../diagnostics/sketch.js';
import { ByteReader, DamagedRollup } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';

const BUCKETS = 4096;

const scratch = new ByteWriter();

/** Buckets ascending, each as its distance from the one before and its count, with their length in bytes before them. */
export function writeSketch(writer: ByteWriter, sketch: Sketch): void {
  if (sketch instanceof StoredSketch) return sketch.copyTo(writer);
  scratch.clear();
  let previous = 0;
  sketch.each((bucket, count) => {
    scratch.varint(bucket - previous);
    scratch.varint(count);
    previous = bucket;
  });
  writer.nested(scratch);
}

export function readSketch(reader: ByteReader): Sketch {
  const start = reader.run();
  return new StoredSketch(reader.bytes, start, reader.position);
}

/**
 * A sketch that stays the bytes it was read from: thousands of them cost hardly more than their blobs, and adding one to
 * another sketch reads them once. It is shared by all who ask for the rollup, so it cannot be changed: merge it into a new one.
 */
class StoredSketch extends Sketch {
  constructor(
    private readonly bytes: Buffer,
    private readonly start: number,
    private readonly end: number,
  ) {
    super();
  }

  override get count(): number {
    let count = 0;
    this.each((_, times) => (count += times));
    return count;
  }

  override addTo(into: Sketch): void {
    this.each((bucket, count) => into.addBucket(bucket, count));
  }

  override addBucket(): void {
    throw new TypeError('a sketch of a stored rollup cannot be changed: merge it into a new one');
  }

  override merge(): void {
    this.addBucket();
  }

  copyTo(writer: ByteWriter): void {
    writer.run(this.bytes, this.start, this.end);
  }

  override each(visit: (bucket: number, count: number) => void): void {
    const reader = new ByteReader(this.bytes, undefined, this.start, this.end);
    let bucket = 0;
    while (reader.position < this.end) {
      bucket += reader.varint();
      if (bucket >= BUCKETS) throw new DamagedRollup(`sketch has bucket ${bucket} of ${BUCKETS}`);
      visit(bucket, reader.varint());
    }
  }
}
