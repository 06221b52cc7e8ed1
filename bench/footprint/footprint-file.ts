import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Signal } from '../../src/telemetry/signals.js';
import type { IngestCost, IngestProtocol } from './ingest-cost.js';
import type { QueryCost } from './query-process.js';

/** Fixed cost of a commit. */
export interface CommitCost {
  readonly cpuMillis: number;
  /** Open rollups and small blocks are rewritten. */
  readonly toReadStoreBytes: number;
}

/** Cost per record while a backlog is processed at full speed. */
export interface RecordCost {
  readonly cpuMicros: number;
  readonly fromLogBytes: number;
  readonly toReadStoreBytes: number;
  readonly fromReadStoreBytes: number;
  readonly logBytes: number;
  readonly readModelBytes: number;
}

/** Resources of the processes of a cluster, measured on one machine. CPU is time on its cores. */
export interface Footprint {
  readonly measured: {
    readonly on: string;
    readonly cpu: string;
    readonly cores: number;
    readonly node: string;
    readonly load: number;
  };
  readonly spansIn: Readonly<Record<IngestProtocol, IngestCost>>;
  readonly recordsIn: Readonly<Record<Signal, IngestCost>>;
  readonly projected: Readonly<Record<Signal, RecordCost>>;
  /** Cost of spans on the embedded engines, for comparison. */
  readonly embedded: { readonly cpuMicros: number; readonly commitCpuMillis: number };
  /**
   * Cost of each commit of a shard, of each Grid in it, and of one that has received a hundred thousand spans in the
   * last minutes.
   */
  readonly commit: CommitCost;
  readonly commitOfGrid: CommitCost;
  readonly commitOfBusyGrid: CommitCost;
  /** A second. */
  readonly idleShareCpuMillis: number;
  readonly questions: readonly QueryCost[];
  readonly callCpuMillis: number;
}

/** In the source folder, also when the program runs from `dist`. */
const FOOTPRINT_FILE = fileURLToPath(new URL('../../../bench/footprint/measured.json', import.meta.url));

/** Reads the figures that docs and simulation use. */
export function loadFootprint(): Footprint {
  return JSON.parse(readFileSync(FOOTPRINT_FILE, 'utf8')) as Footprint;
}

export function saveFootprint(footprint: Footprint): void {
  writeFileSync(FOOTPRINT_FILE, `${JSON.stringify(footprint, null, 2)}\n`);
}
