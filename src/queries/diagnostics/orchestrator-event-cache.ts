import type { OrchestratorEvent } from '../../diagnostics/changes/orchestrator-event.js';
import type { ReleasableCache } from '../../thread-memory.js';
import type { LogBlock } from '../logs/log-conditions.js';

/** Overhead of a Grid, of a block, and of an event beside its texts. */
const GRID_BYTES = 500;
const BLOCK_BYTES = 200;
const EVENT_BYTES = 200;
const BYTES_PER_CHARACTER = 2;

/** Part of the limit that the events of one Grid may take. */
const GRID_PART = 1 / 4;

/** Events of the blocks of one Grid. */
export class GridEventCache {
  private byBlock = new WeakMap<LogBlock, readonly OrchestratorEvent[]>();
  /** An upper bound: what belongs to compacted blocks is garbage collected without notice. */
  bytes = GRID_BYTES;
  /** Number of the read that last used it. */
  usedAt = 0;

  /** `onGrown` is called when events were added. */
  constructor(
    private readonly maxBytes: number,
    private readonly onGrown: () => void,
  ) {}

  get(block: LogBlock): readonly OrchestratorEvent[] | undefined {
    return this.byBlock.get(block);
  }

  /** Starts over where the limit would be exceeded; keeps nothing that exceeds it alone. */
  set(block: LogBlock, events: readonly OrchestratorEvent[]): void {
    const bytes = BLOCK_BYTES + events.reduce((sum, event) => sum + measureEvent(event), 0);
    if (this.bytes + bytes > this.maxBytes) {
      this.byBlock = new WeakMap();
      this.bytes = GRID_BYTES;
    }
    if (this.bytes + bytes > this.maxBytes) return;
    this.byBlock.set(block, events);
    this.bytes += bytes;
    this.onGrown();
  }
}

/** Events that were read of blocks, by Grid, within a limit of bytes. */
export class OrchestratorEventCache implements ReleasableCache {
  /** Least recently used first. */
  private readonly grids = new Map<string, GridEventCache>();
  /** Number of reads so far, and at the last release. */
  private reads = 0;
  private releasedAt = 0;

  constructor(private readonly maxBytes: number) {}

  get size(): number {
    return [...this.grids.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The events of a Grid, for one read. Those of Grids that were not read for the longest time are evicted for them. */
  open(gridId: string): GridEventCache {
    const shrink = (): void => this.shrinkTo(this.maxBytes);
    const grid = this.grids.get(gridId) ?? new GridEventCache(this.maxBytes * GRID_PART, shrink);
    grid.usedAt = ++this.reads;
    this.grids.delete(gridId);
    this.grids.set(gridId, grid);
    shrink();
    return grid;
  }

  shrinkTo(bytes: number): void {
    let total = this.size;
    for (const [gridId, grid] of this.grids) {
      if (total <= bytes) return;
      this.grids.delete(gridId);
      total -= grid.bytes;
    }
  }

  releaseUnused(): void {
    for (const [gridId, { usedAt }] of this.grids) if (usedAt <= this.releasedAt) this.grids.delete(gridId);
    this.releasedAt = this.reads;
  }
}

function measureEvent(event: OrchestratorEvent): number {
  const { objectKind, objectName, serviceName, version, message, occurrence } = event;
  const texts = [objectKind, objectName, serviceName, version, message, occurrence];
  return EVENT_BYTES + texts.reduce((sum, text) => sum + text.length, 0) * BYTES_PER_CHARACTER;
}
