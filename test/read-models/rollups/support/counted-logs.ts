import { sumLog } from '../../../../src/diagnostics/rollup-sums.js';
import type { LogRollup } from '../../../../src/diagnostics/rollups.js';
import type { RollupKind } from '../../../../src/projections/telemetry/rollups/rollup-kind.js';
import { RollupShelf } from '../../../../src/projections/telemetry/rollups/rollup-shelf.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { LOGS_PROJECTION } from '../../../../src/read-models/logs.js';
import { PROJECTIONS } from '../../../../src/read-models/projections.js';
import { decodeLogRollup, encodeLogRollup } from '../../../../src/read-models/rollups/log-rollup-codec.js';
import { logRollups } from '../../../../src/read-models/rollups.js';

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
  readonly store = new CountingStore();
  private readonly shelf = new RollupShelf(KIND, this.store);

  async start(): Promise<this> {
    await this.store.commit([{ kind: 'put', collection: PROJECTIONS, id: LOGS_PROJECTION, document: { active: 1, schema: 1 } }], []);
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
    await this.store.commit(await this.shelf.changes(), []);
  }

  async expire(gridId: string, beforeMinute: number): Promise<void> {
    await this.store.commit(await this.shelf.expired(gridId, beforeMinute * 60_000), []);
  }
}

class CountingStore extends MemoryReadModelStore {
  blobsRead = 0;

  override blob(...of: Parameters<MemoryReadModelStore['blob']>): ReturnType<MemoryReadModelStore['blob']> {
    this.blobsRead++;
    return super.blob(...of);
  }
}
