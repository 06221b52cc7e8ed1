import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import type { Position } from '../../../streams/event-store.js';
import type { Filter, DocumentQuery } from '../../document-filter.js';
import type {
  BlobPage,
  DocumentChange,
  Checkpoint,
  AnyCollection,
  Collection,
  CommitResult,
  Document,
  ReadModelStore,
} from '../../read-model-store.js';
import { createQueryComparator, compareScalars, matchesFilter } from './filter-matcher.js';

interface Row {
  readonly json: string;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/** Read models in memory: for tests, and for data that the next process does not need. */
export class MemoryReadModelStore implements ReadModelStore {
  private readonly collections = new Map<string, Map<string, Row>>();
  private readonly checkpoints = new Map<string, Position>();
  private closed = false;

  commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    return this.run(() => {
      for (const { projection, expected } of checkpoints) {
        const found = this.checkpoints.get(projection);
        if (found !== expected) return { ok: false, fenced: true, found };
      }
      for (const change of changes) this.apply(change);
      for (const { projection, position } of checkpoints) this.checkpoints.set(projection, position);
      return { ok: true };
    });
  }

  readCheckpoint(projection: string): Promise<Position | undefined> {
    return this.run(() => this.checkpoints.get(projection));
  }

  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined> {
    return this.run(() => {
      const row = this.collections.get(collection.name)?.get(id);
      return row && (JSON.parse(row.json) as D);
    });
  }

  find<D extends Document>(collection: Collection<D>, query: DocumentQuery): Promise<{ id: string; document: D }[]> {
    return this.run(() => {
      const found = this.findMatching(collection, query.filter).sort(createQueryComparator(query));
      const from = query.skip ?? 0;
      return found.slice(from, query.limit === undefined ? undefined : from + query.limit) as {
        id: string;
        document: D;
      }[];
    });
  }

  count(collection: AnyCollection, filter?: Filter): Promise<number> {
    return this.run(() => this.findMatching(collection, filter).length);
  }

  readBlob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined> {
    return this.run(() => this.collections.get(collection.name)?.get(id)?.blobs.get(name)?.slice());
  }

  readBlobs(
    collection: AnyCollection,
    name: string,
    { prefix, after, limit }: BlobPage,
  ): Promise<{ id: string; blob: Uint8Array }[]> {
    return this.run(() => {
      const rows = [...(this.collections.get(collection.name) ?? [])];
      const found = rows.flatMap(([id, { blobs }]) => {
        const blob = blobs.get(name);
        return blob === undefined || !id.startsWith(prefix) || (after !== undefined && compareScalars(id, after) <= 0)
          ? []
          : [{ id, blob }];
      });
      return found
        .sort((a, b) => compareScalars(a.id, b.id))
        .slice(0, limit)
        .map(({ id, blob }) => ({ id, blob: blob.slice() }));
    });
  }

  dropCollection(collection: AnyCollection): Promise<void> {
    return this.run(() => void this.collections.delete(collection.name));
  }

  dropCheckpoint(projection: string): Promise<void> {
    return this.run(() => void this.checkpoints.delete(projection));
  }

  vacuum(): Promise<number> {
    return this.run(() => 0);
  }

  check(): Promise<Health> {
    return Promise.resolve(this.closed ? { ok: false, reason: 'The read model store is closed' } : { ok: true });
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  private run<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      if (this.closed) throw new HindsightError('unavailable', 'The read model store is closed');
      resolve(work());
    });
  }

  private apply(change: DocumentChange): void {
    if (change.kind === 'delete') {
      this.collections.get(change.collection.name)?.delete(change.id);
      return;
    }
    let rows = this.collections.get(change.collection.name);
    if (rows === undefined) this.collections.set(change.collection.name, (rows = new Map<string, Row>()));
    const blobs = Object.entries(change.blobs ?? {}).map(([name, bytes]) => [name, bytes.slice()] as const);
    rows.set(change.id, { json: JSON.stringify(change.document), blobs: new Map(blobs) });
  }

  private findMatching(
    collection: AnyCollection,
    filter?: Filter,
  ): { id: string; document: Record<string, unknown> }[] {
    const rows = this.collections.get(collection.name) ?? new Map<string, Row>();
    const all = [...rows].map(([id, row]) => ({ id, document: JSON.parse(row.json) as Record<string, unknown> }));
    return filter === undefined ? all : all.filter(({ document }) => matchesFilter(filter, document));
  }
}
