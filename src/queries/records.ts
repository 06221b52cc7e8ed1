import type { BodyReader } from '../read-models/body-reader.js';
import type { RecordPlaces } from '../read-models/blocks/record-places.js';
import type { Turn } from './giving-way.js';

/** Records that are put in order at once: few enough to be sorted in a moment, and for their numbers to fit 16 bits. */
const BATCH = 2 ** 16;

/** Where one record stands in the log. */
export interface RecordPlace {
  readonly revision: number;
  readonly offset: number;
  readonly length: number;
}

export function placeAt({ revision, offset, length }: RecordPlaces, row: number): RecordPlace {
  return { revision: revision[row], offset: offset[row], length: length[row] };
}

/** Records of one Grid, read back from the log. Keeps the last body: readers who go in order inflate each one once. */
export class Records {
  private lastRevision = -1;
  private lastBody: Uint8Array | undefined;

  constructor(
    private readonly bodies: BodyReader,
    private readonly gridId: string,
    readonly turn: Turn,
  ) {}

  /** What `decode` makes of each record, in the order of `places`; undefined where the log has let go of it. */
  async read<T>(places: readonly RecordPlace[], decode: (body: Uint8Array, place: RecordPlace) => T): Promise<(T | undefined)[]> {
    const decoded = new Array<T | undefined>(places.length);
    for (let from = 0; from < places.length; from += BATCH) {
      for (const index of byRevision(places, from)) {
        await this.turn.giveWay();
        const body = await this.body(places[index].revision);
        if (body !== undefined) decoded[index] = decode(body, places[index]);
      }
    }
    return decoded;
  }

  private async body(revision: number): Promise<Uint8Array | undefined> {
    if (revision === this.lastRevision) return this.lastBody;
    this.lastBody = await this.bodies.body(this.gridId, revision);
    this.lastRevision = revision;
    return this.lastBody;
  }
}

/** Indices of the batch that starts at `from`, in the order in which the records stand in the log. Keys sort natively. */
function byRevision(places: readonly RecordPlace[], from: number): number[] {
  const keys = Float64Array.from(places.slice(from, from + BATCH), ({ revision }, index) => revision * BATCH + index).sort();
  return Array.from(keys, (key) => from + (key % BATCH));
}
