import {
  recentRequestsCollection,
  type RecentRequestsDocument,
  REQUESTS_BLOB,
} from '../../../read-models/documents/projection-documents.js';
import type { Collection, DocumentChange, ReadModelReader } from '../../../read-models/read-model-store.js';
import type { Position } from '../../../streams/event-store.js';
import { DUPLICATE_WINDOW_MS, JOURNAL_WINDOW_MS } from './recent-spans.js';
import { OpenAddressedTable } from '../open-addressed-table.js';

/**
 * Documents per read: there are some thousands, and a process that takes over reads all of them before it continues.
 */
const PAGE_SIZE = 512;

/** A request that was counted. */
export interface CountedRequest {
  /** Hex SHA-256; the first 16 bytes are stored. */
  readonly identity: string;
  readonly recordedAt: number;
  readonly gridId: string;
  readonly revision: number;
  /** Counted spans of the request. */
  spans: number;
}

const IDENTITY_BYTES = 16;

/** Identity; log time as a double; index of the Grid, revision and spans as 32-bit words. Little-endian. */
const ROW_BYTES = IDENTITY_BYTES + 8 + 4 + 4 + 4;

/**
 * Stores the counted requests of the last 20 minutes in the read model, one document per commit, so that a restarted
 * projector knows what its predecessor has seen.
 */
export class RequestJournal {
  private readonly collection: Collection<RecentRequestsDocument>;
  /** Documents in the store, oldest first. */
  private stored: { readonly id: string; readonly at: number }[] = [];

  constructor(
    run: string,
    private readonly store: ReadModelReader,
  ) {
    this.collection = recentRequestsCollection(run);
  }

  /** A journal for another run, with the same requests. */
  handOverTo(run: string): RequestJournal {
    const journal = new RequestJournal(run, this.store);
    journal.stored = [...this.stored];
    return journal;
  }

  /** All requests in the store, in log order. */
  async load(): Promise<CountedRequest[]> {
    const found = await this.store.find(this.collection, {});
    this.stored = found.map(({ id, document }) => ({ id, at: document.at }));
    const requests: CountedRequest[] = [];
    const grids = new Map(found.map(({ id, document }) => [id, document.grids]));
    for (let after: string | undefined; ;) {
      const page = await this.store.readBlobs(this.collection, REQUESTS_BLOB, { prefix: '', after, limit: PAGE_SIZE });
      for (const { id, blob } of page)
        for (const request of decodeRequests(blob, grids.get(id) ?? [])) requests.push(request);
      if (page.length < PAGE_SIZE) return requests;
      after = page[page.length - 1].id;
    }
  }

  /** Stores these requests with the commit up to `position`, and deletes those that are too old to be repeated. */
  changes(requests: readonly CountedRequest[], position: Position): DocumentChange[] {
    const newest = requests.at(-1);
    if (newest === undefined) return [];
    const changes = this.deleteOutdated(newest.recordedAt);
    const grids = [...new Set(requests.map(({ gridId }) => gridId))];
    const document: RecentRequestsDocument = { at: newest.recordedAt, grids };
    changes.push({
      kind: 'put',
      collection: this.collection,
      id: position,
      document,
      blobs: { [REQUESTS_BLOB]: encodeRequests(requests, grids) },
    });
    this.stored.push({ id: position, at: newest.recordedAt });
    return changes;
  }

  private deleteOutdated(now: number): DocumentChange[] {
    const first = this.stored.findIndex(({ at }) => now - at < JOURNAL_WINDOW_MS);
    const outdated = this.stored.splice(0, first < 0 ? this.stored.length : first);
    return outdated.map(({ id }) => ({ kind: 'delete', collection: this.collection, id }));
  }
}

export function encodeRequests(requests: readonly CountedRequest[], grids: readonly string[]): Uint8Array {
  const bytes = Buffer.alloc(requests.length * ROW_BYTES);
  const indexOf = new Map(grids.map((gridId, index) => [gridId, index]));
  requests.forEach((request, row) => {
    let at = row * ROW_BYTES;
    at += bytes.write(request.identity.slice(0, IDENTITY_BYTES * 2), at, 'hex');
    at = bytes.writeDoubleLE(request.recordedAt, at);
    at = bytes.writeUInt32LE(indexOf.get(request.gridId) ?? 0, at);
    at = bytes.writeUInt32LE(request.revision, at);
    bytes.writeUInt32LE(request.spans, at);
  });
  return bytes;
}

export function decodeRequests(rows: Uint8Array, grids: readonly string[]): CountedRequest[] {
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
  return Array.from({ length: bytes.length / ROW_BYTES }, (_, row) => {
    const at = row * ROW_BYTES;
    return {
      identity: bytes.toString('hex', at, at + IDENTITY_BYTES),
      recordedAt: bytes.readDoubleLE(at + 16),
      gridId: grids[bytes.readUInt32LE(at + 24)],
      revision: bytes.readUInt32LE(at + 28),
      spans: bytes.readUInt32LE(at + 32),
    };
  });
}

/** Requests that are remembered at least, while they are recent enough: 2,300 per second for 15 minutes. */
export const REQUEST_HORIZON = 1 << 21;

const ENTRY_WORDS = 5;

const THIRD = 2;

const FOURTH = 3;

const ORDINAL = 4;

/**
 * Identities of the export requests of the last 15 minutes of log time, 128 bits each. Two generations, as in
 * RecentSpans: memory is bounded, and what counts as a repetition depends on the log only.
 */
export class RecentRequests {
  private current = new Generation(0);
  private previous: Generation | undefined;
  private counted = 0;

  constructor(private readonly horizon = REQUEST_HORIZON) {}

  /**
   * Returns true for a request that was not counted within the last 15 minutes; it counts from now on. `identity`: hex
   * SHA-256.
   */
  admit(identity: string, recordedAt: number): boolean {
    const words = toHashWords(identity);
    if (
      this.isKnown(this.current, words, recordedAt) ||
      (this.previous && this.isKnown(this.previous, words, recordedAt))
    )
      return false;
    this.rotateGenerations(recordedAt);
    const { slots, times, first } = this.current;
    const at = slots.add(words[0], words[1]);
    slots.words[at + THIRD] = words[2];
    slots.words[at + FOURTH] = words[3];
    slots.words[at + ORDINAL] = this.counted++ - first;
    times.push(recordedAt);
    return true;
  }

  private isKnown({ slots, times, first }: Generation, [a, b, c, d]: readonly number[], now: number): boolean {
    for (let at = slots.find(a, b); at >= 0; at = slots.findNext(at)) {
      if (slots.words[at + THIRD] !== c || slots.words[at + FOURTH] !== d) continue;
      const ordinal = slots.words[at + ORDINAL];
      if (now - times[ordinal] < DUPLICATE_WINDOW_MS && this.counted - (first + ordinal) <= this.horizon) return true;
    }
    return false;
  }

  private rotateGenerations(now: number): void {
    const { times } = this.current;
    if (times.length < this.horizon && (times.length === 0 || now - times[0] < DUPLICATE_WINDOW_MS)) return;
    this.previous = this.current;
    this.current = new Generation(this.counted);
  }
}

class Generation {
  readonly slots = new OpenAddressedTable(ENTRY_WORDS);
  /** Log time of each request, by its index relative to `first`. */
  readonly times: number[] = [];

  constructor(readonly first: number) {}
}

function toHashWords(identity: string): readonly [number, number, number, number] {
  const word = (i: number): number => Number.parseInt(identity.slice(i * 8, i * 8 + 8), 16);
  return [word(0), word(1), word(2), word(3)];
}
