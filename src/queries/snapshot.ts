import type { BlockPlace, BlockSummary } from '../read-models/blocks/block.js';
import type { Block } from '../read-models/blocks/cached-block.js';
import type { LogBlockDocument } from '../read-models/logs.js';
import type { SpanBlockDocument } from '../read-models/spans.js';
import type { Turn } from './giving-way.js';

/** The blocks of a Grid as one question found them, and its turn on the thread. */
export interface Snapshot<Document extends BlockSummary & BlockPlace> {
  readonly blocks: readonly Block<Document>[];
  readonly turn: Turn;
}

export type SpanSnapshot = Snapshot<SpanBlockDocument>;
export type LogSnapshot = Snapshot<LogBlockDocument>;
