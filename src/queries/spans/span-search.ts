import type { SpanSnapshot } from '../snapshot.js';
import type { TraceNumbers } from './trace-numbers.js';

/** The blocks of a Grid, and the numbers of their traces as far as they are known. */
export interface SpanSearch extends SpanSnapshot {
  readonly traces: TraceNumbers;
}
