import { HindsightError } from '../../../errors.js';

/** Memory that the groups of one query may take. */
const MAX_BYTES = 96 * 1024 * 1024;

/** Limits the memory of one query, whatever its groups and values are. */
export class QueryMemory {
  private used = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /** Counts bytes that the query takes from now on; negative ones are given back. Throws `invalid-request`. */
  charge(bytes: number): void {
    this.used += bytes;
    if (this.used > this.maxBytes)
      throw new HindsightError(
        'invalid-request',
        `The query needs more than ${this.maxBytes / 1024 / 1024} MiB for its groups and values. Narrow it, group by fewer fields, or select fewer percentiles and distinct counts.`,
      );
  }
}
