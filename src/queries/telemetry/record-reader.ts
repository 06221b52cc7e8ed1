import type { TelemetryBodyReader } from '../../telemetry/telemetry-body-reader.js';
import type { RecordLocations } from '../../read-models/blocks/record-column-codec.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';

/** Records sorted per batch: fast to sort, and indices fit in 16 bits. */
const SORT_BATCH = 2 ** 16;

/** Position of one record in the event log. */
export interface RecordLocation {
  readonly revision: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * A record as the event log has it: undefined if the log no longer has it, `damaged` if what is stored differs from what
 * was received.
 */
export type StoredRecord<T> = T | 'damaged' | undefined;

/** The field that marks a result whose stored record is damaged. */
export interface DamageMarker {
  readonly damaged?: true;
}

/** Spread into a result: marks it if its stored record is damaged. */
export function markDamaged(record: unknown): DamageMarker {
  return record === 'damaged' ? { damaged: true } : {};
}

/** The record; undefined if it is damaged or absent. */
export function toIntact<T>(record: StoredRecord<T>): T | undefined {
  return record === 'damaged' ? undefined : record;
}

export function recordLocation({ revision, offset, length }: RecordLocations, row: number): RecordLocation {
  return { revision: revision[row], offset: offset[row], length: length[row] };
}

/**
 * Reads records of one Grid from the event log. Caches the last decoded body, so that in-order reads decompress each
 * body once.
 */
export class RecordReader {
  private lastRevision = -1;
  private lastBody: Uint8Array | 'damaged' | undefined;

  constructor(
    private readonly bodies: TelemetryBodyReader,
    private readonly gridId: string,
    readonly timeSlice: TimeSlice,
  ) {}

  /** Decoded records in the order of `locations`. One that is damaged does not affect the others. */
  async read<T>(
    locations: readonly RecordLocation[],
    decode: (body: Uint8Array, location: RecordLocation) => T,
  ): Promise<StoredRecord<T>[]> {
    const decoded = new Array<StoredRecord<T>>(locations.length);
    for (let from = 0; from < locations.length; from += SORT_BATCH) {
      for (const index of sortIndexesByRevision(locations, from)) {
        await this.timeSlice.yieldIfDue();
        const body = await this.loadBody(locations[index].revision);
        decoded[index] = body instanceof Uint8Array ? decode(body, locations[index]) : body;
      }
    }
    return decoded;
  }

  private async loadBody(revision: number): Promise<Uint8Array | 'damaged' | undefined> {
    if (revision === this.lastRevision) return this.lastBody;
    this.lastBody = await this.bodies.body(this.gridId, revision);
    this.lastRevision = revision;
    return this.lastBody;
  }
}

/**
 * Indices of the batch that starts at `from`, in event log order. Packs revision order and index into numbers, which
 * sort natively.
 */
function sortIndexesByRevision(locations: readonly RecordLocation[], from: number): number[] {
  const keys = Float64Array.from(
    locations.slice(from, from + SORT_BATCH),
    ({ revision }, index) => revision * SORT_BATCH + index,
  ).sort();
  return Array.from(keys, (key) => from + (key % SORT_BATCH));
}
