import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Signal } from '../../src/telemetry/signals.js';
import type { IngestCost, WayIn } from './ingest.js';
import type { QuestionCost } from './questions-part.js';

/** What a commit costs, whatever is in it. */
export interface CommitPart {
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
  readonly measured: { readonly on: string; readonly cpu: string; readonly cores: number; readonly node: string; readonly load: number };
  readonly spansIn: Readonly<Record<WayIn, IngestCost>>;
  readonly recordsIn: Readonly<Record<Signal, IngestCost>>;
  readonly projected: Readonly<Record<Signal, RecordCost>>;
  /** Of spans on the embedded engines, for comparison. */
  readonly embedded: { readonly cpuMicros: number; readonly commitCpuMillis: number };
  /** Of each commit of a share, of each Grid in it, and of one that has had a hundred thousand spans in the last minutes. */
  readonly commit: CommitPart;
  readonly commitOfGrid: CommitPart;
  readonly commitOfBusyGrid: CommitPart;
  /** A second. */
  readonly idleShareCpuMillis: number;
  readonly questions: readonly QuestionCost[];
  readonly callCpuMillis: number;
}

/** In the sources, also where the program runs from `dist`. */
const FILE = fileURLToPath(new URL('../../../bench/footprint/measured.json', import.meta.url));

/** The figures that docs and simulation use. */
export function keptFootprint(): Footprint {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Footprint;
}

export function keepFootprint(footprint: Footprint): void {
  writeFileSync(FILE, `${JSON.stringify(footprint, null, 2)}\n`);
}
