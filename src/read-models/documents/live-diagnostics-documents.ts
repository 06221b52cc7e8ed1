import type { Collection } from '../read-model-store.js';

/** Live diagnostics, by the names under which clients subscribe to them. */
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
  /** Increases whenever the result differs from the previous one. */
  readonly version: number;
  /** When it was last computed (ms), whether the result changed or not. */
  readonly at: number;
  /** Nothing that it was computed for the last time for was committed before this time (ms). Default: `at`. */
  readonly since?: number;
  /** The result, see diagnostics/diagnostic-results.ts. */
  readonly answer: object;
}

export const LIVE_DIAGNOSTICS: Collection<LiveDiagnosticsDocument> = {
  name: 'live-diagnostics.v1',
  indexes: [['gridId']],
};

export function liveDiagnosticsId(gridId: string, topic: LiveTopic): string {
  return `${gridId}/${topic}`;
}

/** Live diagnostics of one Grid at one moment. */
export interface GridLiveDiagnostics {
  /** The moment they describe, ms since 1970. */
  readonly at: number;
  readonly answers: ReadonlyMap<LiveTopic, object>;
  /** Call once they are stored. */
  readonly markStored: () => void;
}

/** Computes live diagnostics. */
export interface LiveDiagnosticsSource {
  /** Grids whose diagnostics may differ from the stored ones. */
  findDueGrids(): Promise<readonly string[]>;
  computeFor(gridId: string): Promise<GridLiveDiagnostics>;
  /** Whether clients follow diagnostics of the Grid, which then come first. */
  isFollowed(gridId: string): boolean;
  /** Grids whose diagnostics are no longer maintained because no client uses them; each is returned once. */
  takeReleasedGrids(): readonly string[];
}
