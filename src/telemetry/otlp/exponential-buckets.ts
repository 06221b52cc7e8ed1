import type { ExponentialBuckets } from '../distribution.js';
import { BucketRunReader } from './bucket-run.js';
import { EXPONENTIAL_POINT } from './fields.js';
import { signedVarint32, unsignedFixed64 } from './numbers.js';
import type { WireReader } from './wire-reader.js';

/** Takes the buckets of one exponential histogram point after another from their fields. Memory is bounded, whatever a point sends. */
export class ExponentialBucketReader {
  private scale = 0;
  private zeroCount = 0;
  private zeroThreshold = 0;
  private readonly positive = new BucketRunReader();
  private readonly negative = new BucketRunReader();

  begin(): void {
    this.scale = this.zeroCount = this.zeroThreshold = 0;
    this.positive.begin();
    this.negative.begin();
  }

  /** Reads the value of the tag if it belongs to buckets. */
  field(reader: WireReader, tag: number, end: number): boolean {
    if (tag === EXPONENTIAL_POINT.scale) this.scale = signedVarint32(reader, end);
    else if (tag === EXPONENTIAL_POINT.zeroCount) this.zeroCount = unsignedFixed64(reader, end);
    else if (tag === EXPONENTIAL_POINT.zeroThreshold) this.zeroThreshold = reader.double(end);
    else if (tag === EXPONENTIAL_POINT.positive) this.positive.read(reader, reader.end(end));
    else if (tag === EXPONENTIAL_POINT.negative) this.negative.read(reader, reader.end(end));
    else return false;
    return true;
  }

  /** As told, but without empty buckets at the ends; undefined past POINT_BOUNDS. Whether scale and threshold make sense is for others to judge. */
  buckets(): ExponentialBuckets | undefined {
    const { scale, zeroCount, zeroThreshold } = this;
    const positive = this.positive.run();
    const negative = this.negative.run();
    if (positive === undefined || negative === undefined) return undefined;
    return { kind: 'exponential', scale, zeroThreshold, zeroCount, positive, negative };
  }
}
