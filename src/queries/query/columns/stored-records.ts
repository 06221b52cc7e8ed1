import type { RecordLocations } from '../../../read-models/blocks/record-column-codec.js';
import type { TelemetryBodyReader } from '../../../telemetry/telemetry-body-reader.js';
import type { TimeSlice } from '../../scheduling/cooperative-scheduler.js';
import type { Rows } from './record-batch.js';

/** Records that are decoded between two yields. */
const DECODE_CHUNK = 256;

/** Reads what only the event log tells of the records of blocks, one request body after another. */
export class StoredRecords {
  private readonly damaged = new Set<string>();
  /** Attempts to read a damaged record, the same one again included. */
  damagedReads = 0;
  private lastRevision = -1;
  private lastBody: Uint8Array | 'damaged' | undefined;

  constructor(
    private readonly bodies: TelemetryBodyReader,
    readonly gridId: string,
    readonly timeSlice: TimeSlice,
  ) {}

  /** Number of damaged records that were asked for. */
  get damagedRecords(): number {
    return this.damaged.size;
  }

  /** Calls `decode` for each of the rows whose record can be read, in any order. */
  async forEach(
    { revision, offset, length }: RecordLocations,
    rows: Rows,
    decode: (body: Uint8Array, offset: number, length: number, row: number) => void,
  ): Promise<void> {
    let [at, chunk] = [0, 0];
    const ordered = orderByRevision(revision, rows);
    while (at < ordered.length) {
      const current = revision[ordered[at]];
      const body = await this.loadBody(current);
      for (; at < ordered.length && revision[ordered[at]] === current; at++) {
        const row = ordered[at];
        if (body instanceof Uint8Array) decode(body, offset[row], length[row], row);
        else if (body === 'damaged') {
          this.damaged.add(`${current}/${offset[row]}`);
          this.damagedReads++;
        }
        if (++chunk % DECODE_CHUNK === 0) await this.timeSlice.yieldIfDue();
      }
      await this.timeSlice.yieldIfDue();
    }
  }

  private async loadBody(revision: number): Promise<Uint8Array | 'damaged' | undefined> {
    if (revision === this.lastRevision) return this.lastBody;
    this.lastBody = await this.bodies.body(this.gridId, revision);
    this.lastRevision = revision;
    return this.lastBody;
  }
}

/** Rows in the order of their events, so that each is read once. They mostly are in it already. */
export function orderByRevision(revision: Uint32Array, rows: Rows): Rows {
  for (let i = 1; i < rows.length; i++)
    if (revision[rows[i]] < revision[rows[i - 1]]) return rows.slice().sort((a, b) => revision[a] - revision[b]);
  return rows;
}
