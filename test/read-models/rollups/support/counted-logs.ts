import { sumLog } from '../../../../src/diagnostics/rollup-sums.js';
import type { LogRollup } from '../../../../src/diagnostics/rollups.js';
import type { RollupKind } from '../../../../src/projections/telemetry/rollups/rollup-kind.js';
import { RollupShelf } from '../../../../src/projections/telemetry/rollups/rollup-shelf.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { LOGS_PROJECTION } from '../../../../src/read-models/logs.js';
import { PROJECTIONS } from '../../../../src/read-models/projections.js';
import { decodeLogRollup, encodeLogRollup } from '../../../../src/read-models/rollups/log-rollup-codec.js';
import type { Query } from '../../../../src/read-models/filter.js';
import { logRollups } from '../../../../src/read-models/rollups.js';
import { ShareStore } from '../../../../src/read-models/shares/share-store.js';
import type { Collection, Document, ReadModelStore } from '../../../../src/read-models/store.js';

/** Where, and how many records. */
export interface Added {
  readonly gridId: string;
  readonly service: string;
  readonly minute: number;
}

interface Counter {
  rollup: LogRollup;
}

const KIND: RollupKind<Counter> = {
  collections: logRollups(1),
  create: (service) => ({ rollup: { service, severities: [0, 0, 0, 0, 0, 0], templates: [], exceptions: [] } }),
  decode: (blob) => ({ rollup: decodeLogRollup(blob) }),
  encode: ({ rollup }) => encodeLogRollup(rollup),
  merge: (blobs) => encodeLogRollup(sumLog(blobs.map((blob) => decodeLogRollup(blob)))),
};

/** Rollups of log records, as the shelf of the projection keeps them, in a store that counts what is read. */
export class CountedLogs {
  private readonly written: ReadModelStore;
  private readonly shelf: RollupShelf<Counter>;

  /** Of one share, where one is named. */
  constructor(
    readonly store = new CountingStore(),
    share?: number,
  ) {
    this.written = share === undefined ? store : new ShareStore(store, share);
    this.shelf = new RollupShelf(KIND, this.written);
  }

  async start(): Promise<this> {
    await this.written.commit([{ kind: 'put', collection: PROJECTIONS, id: LOGS_PROJECTION, document: { active: 1, schema: 1 } }], []);
    await this.shelf.restore();
    return this;
  }

  /** One commit with a record each. */
  async add(...all: readonly Added[]): Promise<void> {
    for (const { gridId, service, minute } of all) {
      const counter = await this.shelf.open(gridId, minute, service);
      const [trace, debug, information, ...rest] = counter.rollup.severities;
      counter.rollup = { ...counter.rollup, severities: [trace, debug, information + 1, ...rest] };
    }
    await this.written.commit(await this.shelf.changes(), []);
  }

  async expire(gridId: string, beforeMinute: number): Promise<void> {
    await this.written.commit(await this.shelf.expired(gridId, beforeMinute * 60_000), []);
  }
}

export class CountingStore extends MemoryReadModelStore {
  blobsRead = 0;
  /** Blobs that are being read, and the most at once. */
  reading = 0;
  mostReading = 0;
  /** Names of collections in which documents were looked for, and how many were found. */
  readonly lookedIn: string[] = [];
  found = 0;

  override blob(...of: Parameters<MemoryReadModelStore['blob']>): ReturnType<MemoryReadModelStore['blob']> {
    this.blobsRead++;
    this.mostReading = Math.max(this.mostReading, ++this.reading);
    return super.blob(...of).finally(() => this.reading--);
  }

  override async find<D extends Document>(collection: Collection<D>, query: Query): Promise<{ id: string; document: D }[]> {
    this.lookedIn.push(collection.name);
    const found = await super.find(collection, query);
    this.found += found.length;
    return found;
  }
}
