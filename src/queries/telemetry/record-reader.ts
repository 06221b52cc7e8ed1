import type { TelemetryBodyReader } from '../../telemetry/telemetry-body-reader.js';
import type { RecordLocations } from '../../read-models/blocks/record-column-codec.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';

/** Records that are put in order at once: few enough to be sorted in a moment, and for their numbers to fit 16 bits. */
const SORT_BATCH = 2 ** 16;

/** Where one record stands in the log. */
export interface RecordLocation {
  readonly revision: number;
  readonly offset: number;
  readonly length: number;
}

export function recordLocation({ revision, offset, length }: RecordLocations, row: number): RecordLocation {
  return { revision: revision[row], offset: offset[row], length: length[row] };
}

/** Records of one Grid, read back from the log. Keeps the last body: readers who go in order inflate each one once. */
export class RecordReader {
  private lastRevision = -1;
  private lastBody: Uint8Array | undefined;

  constructor(
    private readonly bodies: TelemetryBodyReader,
    private readonly gridId: string,
    readonly turn: TimeSlice,
  ) {}

  /** What `decode` makes of each record, in the order of `places`; undefined where the log has let go of it. */
  async read<T>(
    places: readonly RecordLocation[],
    decode: (body: Uint8Array, place: RecordLocation) => T,
  ): Promise<(T | undefined)[]> {
    const decoded = new Array<T | undefined>(places.length);
    for (let from = 0; from < places.length; from += SORT_BATCH) {
      for (const index of sortIndexesByRevision(places, from)) {
        await this.turn.yieldIfDue();
        const body = await this.loadBody(places[index].revision);
        if (body !== undefined) decoded[index] = decode(body, places[index]);
      }
    }
    return decoded;
  }

  private async loadBody(revision: number): Promise<Uint8Array | undefined> {
    if (revision === this.lastRevision) return this.lastBody;
    this.lastBody = await this.bodies.body(this.gridId, revision);
    this.lastRevision = revision;
    return this.lastBody;
  }
}

/** Indices of the batch that starts at `from`, in the order in which the records stand in the log. Keys sort natively. */
function sortIndexesByRevision(places: readonly RecordLocation[], from: number): number[] {
  const keys = Float64Array.from(
    places.slice(from, from + SORT_BATCH),
    ({ revision }, index) => revision * SORT_BATCH + index,
  ).sort();
  return Array.from(keys, (key) => from + (key % SORT_BATCH));
}
