import type { Collection } from '../read-model-store.js';

/** Diagnostics that are kept current, by the names under which clients subscribe to them. */
export const LIVE_TOPICS = [
  'health',
  'alerts',
  'diagnosis',
  'pressure',
  'trends',
  'services',
  'timeline',
  'slowest-endpoints',
  'changes',
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/** One diagnostic of one Grid as of its last refresh. */
export interface LiveDiagnosticsDocument {
  readonly gridId: string;
  readonly topic: LiveTopic;
  /** Counts up whenever the answer differs from the one before. */
  readonly version: number;
  /** When it was computed last (ms), with the same answer or another. */
  readonly at: number;
  /** The answer, a type of diagnostics/answers.ts. */
  readonly answer: object;
}

export const LIVE_DIAGNOSTICS: Collection<LiveDiagnosticsDocument> = {
  name: 'live-diagnostics.v1',
  indexes: [['gridId']],
};

export function liveDiagnosticsId(gridId: string, topic: LiveTopic): string {
  return `${gridId}/${topic}`;
}

/** Live answers about one Grid at one moment. */
export interface GridLiveDiagnostics {
  /** The moment that they are about, ms since 1970. */
  readonly at: number;
  readonly answers: ReadonlyMap<LiveTopic, object>;
  /** To be called once they can be read. */
  readonly markStored: () => void;
}

/** Where the answers to keep come from. */
export interface LiveDiagnosticsSource {
  /** Grids whose answers may differ from those that were kept last. */
  findDueGrids(): Promise<readonly string[]>;
  computeFor(gridId: string): Promise<GridLiveDiagnostics>;
  /** Grids whose answers are kept no longer, since nobody asks for them; each is told once. */
  takeReleasedGrids(): readonly string[];
}
