import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Signal } from '../../src/telemetry/signals.js';
import type { IngestCost, IngestProtocol } from './ingest-cost.js';
import type { QueryCost } from './query-process.js';

/** What a commit costs, whatever is in it. */
export interface CommitCost {
  readonly cpuMillis: number;
  /** Open rollups and small blocks are written anew. */
  readonly toReadStoreBytes: number;
}

/** Each record's part of a backlog that is worked off at full speed. */
export interface RecordCost {
  readonly cpuMicros: number;
  readonly fromLogBytes: number;
  readonly toReadStoreBytes: number;
  readonly fromReadStoreBytes: number;
  readonly logBytes: number;
  readonly readModelBytes: number;
}

/** What the parts of a cluster use, measured on one machine. CPU is time of the cores of that machine. */
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
  /** Of spans on the embedded engines, for comparison. */
  readonly embedded: { readonly cpuMicros: number; readonly commitCpuMillis: number };
  /** Of each commit of a share, of each Grid in it, and of one that has had a hundred thousand spans in the last minutes. */
  readonly commit: CommitCost;
  readonly commitOfGrid: CommitCost;
  readonly commitOfBusyGrid: CommitCost;
  /** A second. */
  readonly idleShareCpuMillis: number;
  readonly questions: readonly QueryCost[];
  readonly callCpuMillis: number;
}

/** In the sources, also where the program runs from `dist`. */
const FOOTPRINT_FILE = fileURLToPath(new URL('../../../bench/footprint/measured.json', import.meta.url));

/** The figures that docs and simulation use. */
export function loadFootprint(): Footprint {
  return JSON.parse(readFileSync(FOOTPRINT_FILE, 'utf8')) as Footprint;
}

export function saveFootprint(footprint: Footprint): void {
  writeFileSync(FOOTPRINT_FILE, `${JSON.stringify(footprint, null, 2)}\n`);
}
