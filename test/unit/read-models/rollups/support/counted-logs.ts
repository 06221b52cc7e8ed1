import { sumLog } from '../../../../../src/diagnostics/rollups/rollup-sums.js';
import type { LogRollup } from '../../../../../src/diagnostics/rollups/rollup-types.js';
import type { RollupFormat } from '../../../../../src/projections/telemetry/rollups/rollup-format.js';
import { RollupBuffer } from '../../../../../src/projections/telemetry/rollups/rollup-buffer.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import { LOGS_PROJECTION } from '../../../../../src/read-models/documents/block-documents.js';
import { PROJECTIONS } from '../../../../../src/read-models/documents/projection-documents.js';
import { decodeLogRollup, encodeLogRollup } from '../../../../../src/read-models/rollups/log-rollup-codec.js';
import type { DocumentQuery } from '../../../../../src/read-models/document-filter.js';
import { logRollupCollections } from '../../../../../src/read-models/documents/rollup-documents.js';
import { ShardStore } from '../../../../../src/read-models/sharding/shard-store.js';
import type { Collection, Document, ReadModelStore } from '../../../../../src/read-models/read-model-store.js';

/** Where, and how many records. */
export interface Added {
  readonly gridId: string;
  readonly service: string;
  readonly minute: number;
}

interface Counter {
  rollup: LogRollup;
}

const KIND: RollupFormat<Counter> = {
  collections: logRollupCollections(1),
  create: (service) => ({ rollup: { service, severities: [0, 0, 0, 0, 0, 0], templates: [], exceptions: [] } }),
  decode: (blob) => ({ rollup: decodeLogRollup(blob) }),
  encode: ({ rollup }) => encodeLogRollup(rollup),
  merge: (blobs) => encodeLogRollup(sumLog(blobs.map((blob) => decodeLogRollup(blob)))),
};

/** Rollups of log records, as the projection buffers them, in a store that counts what is read. */
export class CountedLogs {
  private readonly written: ReadModelStore;
  private readonly buffer: RollupBuffer<Counter>;

  /** Of one share, where one is named. */
  constructor(
    readonly store = new CountingStore(),
    shard?: number,
  ) {
    this.written = shard === undefined ? store : new ShardStore(store, shard);
    this.buffer = new RollupBuffer(KIND, this.written);
  }

  async start(): Promise<this> {
    await this.written.commit(
      [{ kind: 'put', collection: PROJECTIONS, id: LOGS_PROJECTION, document: { active: 1, schema: 1 } }],
      [],
    );
    await this.buffer.restore();
    return this;
  }

  /** One commit with a record each. */
  async add(...all: readonly Added[]): Promise<void> {
    for (const { gridId, service, minute } of all) {
      const counter = await this.buffer.open(gridId, minute, service);
      const [trace, debug, information, ...rest] = counter.rollup.severities;
      counter.rollup = { ...counter.rollup, severities: [trace, debug, information + 1, ...rest] };
    }
    await this.written.commit(await this.buffer.changes(), []);
  }

  async expire(gridId: string, beforeMinute: number): Promise<void> {
    await this.written.commit(await this.buffer.expire(gridId, beforeMinute * 60_000), []);
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

  override readBlob(...of: Parameters<MemoryReadModelStore['readBlob']>): ReturnType<MemoryReadModelStore['readBlob']> {
    this.blobsRead++;
    this.mostReading = Math.max(this.mostReading, ++this.reading);
    return super.readBlob(...of).finally(() => this.reading--);
  }

  override async find<D extends Document>(
    collection: Collection<D>,
    query: DocumentQuery,
  ): Promise<{ id: string; document: D }[]> {
    this.lookedIn.push(collection.name);
    const found = await super.find(collection, query);
    this.found += found.length;
    return found;
  }
}
