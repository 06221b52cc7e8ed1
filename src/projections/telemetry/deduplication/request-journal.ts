import {
  recentRequestsCollection,
  REQUESTS_BLOB,
  type RecentRequestsDocument,
} from '../../../read-models/documents/projection-documents.js';
import type { DocumentChange, Collection, ReadModelReader } from '../../../read-models/read-model-store.js';
import type { Position } from '../../../streams/event-store.js';
import { JOURNAL_WINDOW_MS } from './recent-spans.js';

/** Documents that are read at once: there are some thousands, and whoever takes over from another reads them all before it goes on. */
const PAGE_SIZE = 512;

/** A request that was counted. */
export interface CountedRequest {
  /** Hex SHA-256; its first 16 bytes are kept. */
  readonly identity: string;
  readonly recordedAt: number;
  readonly gridId: string;
  readonly revision: number;
  /** Spans of it that were counted. */
  spans: number;
}

const IDENTITY_BYTES = 16;
/** Identity; log time as a double; index of the Grid, revision and spans as 32-bit words. Little-endian. */
const ROW_BYTES = IDENTITY_BYTES + 8 + 4 + 4 + 4;

/**
 * Keeps the counted requests of the last 20 minutes in the read model, one document a commit, so that a projector that
 * starts again knows what its predecessor had seen.
 */
export class RequestJournal {
  private readonly collection: Collection<RecentRequestsDocument>;
  /** Documents in the store, oldest first. */
  private kept: { readonly id: string; readonly at: number }[] = [];

  constructor(
    run: string,
    private readonly store: ReadModelReader,
  ) {
    this.collection = recentRequestsCollection(run);
  }

  /** The journal of another run, which holds the same requests from now on. */
  handOverTo(run: string): RequestJournal {
    const journal = new RequestJournal(run, this.store);
    journal.kept = [...this.kept];
    return journal;
  }

  /** All requests that the store still holds, in the order of the log. */
  async load(): Promise<CountedRequest[]> {
    const found = await this.store.find(this.collection, {});
    this.kept = found.map(({ id, document }) => ({ id, at: document.at }));
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

  /** Keeps these requests with the commit up to `position`, and lets go what nobody can repeat any more. */
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
    this.kept.push({ id: position, at: newest.recordedAt });
    return changes;
  }

  private deleteOutdated(now: number): DocumentChange[] {
    const first = this.kept.findIndex(({ at }) => now - at < JOURNAL_WINDOW_MS);
    const gone = this.kept.splice(0, first < 0 ? this.kept.length : first);
    return gone.map(({ id }) => ({ kind: 'delete', collection: this.collection, id }));
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
