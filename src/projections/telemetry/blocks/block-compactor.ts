import {
  blockId,
  MAX_BLOCK_ROWS,
  type BlockLocation,
  type BlockSummary,
  type EncodedBlock,
} from '../../../read-models/blocks/block.js';
import type { BlockCompactionDocument } from '../../../read-models/documents/block-documents.js';
import type { DocumentChange, ReadModelReader } from '../../../read-models/read-model-store.js';
import type { BlockFormat } from './block-format.js';
import { StoredBlockCache } from './stored-block-cache.js';

/**
 * Upper row limits of the tiers: a block of fewer rows is merged with others of its tier. Blocks beyond the last limit
 * are final.
 */
const TIER_ROW_LIMITS = [16, 256, 4096];

/**
 * Blocks of one tier that justify a merge, unless fewer fill a block. As each tier holds as many times the rows of the
 * tier before it, a merge of one tier results in a block of the next.
 */
const MIN_BLOCKS_TO_MERGE = 16;

/** Maximum rows merged in one commit, about as many as a commit adds. */
const MAX_MERGED_ROWS_PER_COMMIT = 32_768;

/** What is known about a block without reading it. Times in µs since 1970. */
export interface BlockMetadata {
  readonly gridId: string;
  readonly seq: number;
  readonly rows: number;
  readonly oldestUs: number;
  readonly newestUs: number;
  readonly maxRevision: number;
  /** Number of the event of its oldest row in this process, see RecentSpans; -1: before the start of the process. */
  readonly firstEvent: number;
}

/** Notified of every block that is added or removed. */
export interface BlockObserver {
  added(block: BlockMetadata): void;
  removed(block: BlockMetadata): void;
}

/** Blocks of one size that await a merge. */
interface Tier {
  /** Oldest first. */
  readonly blocks: BlockMetadata[];
  /** Rows of all of them. */
  rows: number;
}

interface GridBlocks {
  readonly blocks: Map<number, BlockMetadata>;
  readonly tiers: readonly Tier[];
  /** Rows of all blocks. */
  rows: number;
  nextSeq: number;
  generation: number;
  expiredBefore: number;
}

/**
 * Log-structured storage of the blocks of one signal, by Grid: new rows become small blocks, sixteen blocks of a tier,
 * or fewer that fill a block, are merged into a larger one, expired rows are removed. Everything is returned as changes of the current commit.
 */
export class BlockCompactor<Columns extends object, Summary extends BlockSummary> {
  private readonly cache: StoredBlockCache<Columns, Summary>;
  private grids = new Map<string, GridBlocks>();
  /** Grids with a tier that is ready to merge, in the order in which they became ready. */
  private readonly due = new Set<string>();

  /** `memory`: fraction of the default cache size. */
  constructor(
    private readonly format: BlockFormat<Columns, Summary>,
    private readonly store: ReadModelReader,
    private readonly observer?: BlockObserver,
    memory = 1,
  ) {
    this.cache = new StoredBlockCache(format, store, memory);
  }

  /** Loads the state from the store. `firstEventOf` returns the number of the oldest event of a block. */
  async restore(firstEventOf: (gridId: string, revision: number) => number = () => -1): Promise<void> {
    this.grids = new Map();
    this.due.clear();
    this.cache.clear();
    for (const { document } of await this.store.find(this.format.catalogs, {}))
      this.restoreGrid(document as BlockCompactionDocument);
    for (const { document } of await this.store.find(this.format.blocks, {})) {
      const grid = this.getOrCreateGrid(document.gridId);
      grid.nextSeq = Math.max(grid.nextSeq, document.seq + 1);
      this.put(grid, this.toBlockMetadata(document, firstEventOf(document.gridId, document.minRevision)));
    }
  }

  /** Rows of the Grid before this time (µs) have expired. */
  expiredBeforeUs(gridId: string): number {
    return (this.grids.get(gridId)?.expiredBefore ?? 0) * 1000;
  }

  /** Rows of all blocks of a Grid. */
  countRows(gridId: string): number {
    return this.grids.get(gridId)?.rows ?? 0;
  }

  /** Blocks of a Grid, in no particular order. */
  listBlocks(gridId: string): Iterable<BlockMetadata> {
    return this.grids.get(gridId)?.blocks.values() ?? [];
  }

  /** Writes rows of one Grid, in log order. `eventOf` returns the number of the event of a row. */
  add(gridId: string, columns: Columns, rows: Uint32Array, eventOf: (row: number) => number): DocumentChange[] {
    const changes: DocumentChange[] = [];
    for (let from = 0; from < rows.length; from += MAX_BLOCK_ROWS) {
      const chunk = rows.subarray(from, from + MAX_BLOCK_ROWS);
      changes.push(
        this.write(gridId, this.format.encode(columns, chunk), eventOf(chunk[0]), () =>
          this.format.copy?.(columns, chunk),
        ),
      );
    }
    return changes;
  }

  /** Merges blocks that are due, within the limits of a commit. */
  async merge(): Promise<DocumentChange[]> {
    const changes: DocumentChange[] = [];
    let rows = 0;
    // A copy: a block that is merged now is read back for the next tier only after the commit.
    for (const gridId of [...this.due]) {
      for (const group of findMergeGroups(this.getOrCreateGrid(gridId))) {
        if (rows >= MAX_MERGED_ROWS_PER_COMMIT) return changes;
        rows += group.reduce((sum, block) => sum + block.rows, 0);
        changes.push(...(await this.replace(gridId, group)));
      }
      if (findMergeGroups(this.getOrCreateGrid(gridId)).length === 0) this.due.delete(gridId);
    }
    return changes;
  }

  /** Removes the Grid's rows before this time (ms). */
  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    const grid = this.getOrCreateGrid(gridId);
    if (before <= grid.expiredBefore) return [];
    grid.expiredBefore = before;
    const beforeUs = before * 1000;
    const changes: DocumentChange[] = [];
    for (const block of [...grid.blocks.values()].filter(({ oldestUs }) => oldestUs < beforeUs)) {
      if (block.newestUs < beforeUs) changes.push(this.remove(grid, block));
      else changes.push(...(await this.replace(gridId, [block], { fromUs: beforeUs })));
    }
    if (changes.length > 0) grid.generation++;
    const document: BlockCompactionDocument = {
      gridId,
      generation: grid.generation,
      expiredBefore: before,
      nextSeq: grid.nextSeq,
    };
    changes.push({ kind: 'put', collection: this.format.catalogs, id: gridId, document });
    return changes;
  }

  private async replace(
    gridId: string,
    blocks: readonly BlockMetadata[],
    keep?: { fromUs: number },
  ): Promise<DocumentChange[]> {
    const grid = this.getOrCreateGrid(gridId);
    const sources = await Promise.all(blocks.map((block) => this.cache.load(block)));
    const merged = this.format.merge(sources, keep);
    const firstEvent = Math.min(...blocks.map((block) => block.firstEvent));
    const changes = blocks.map((block) => this.remove(grid, block));
    if (merged !== undefined) changes.push(this.write(gridId, merged, firstEvent, () => merged.columns));
    return changes;
  }

  /** `copy` returns the rows of the block, if they can be had without decoding it. */
  private write(
    gridId: string,
    { document: summary, blobs }: EncodedBlock<Summary>,
    firstEvent: number,
    copy: () => Columns | undefined,
  ): DocumentChange {
    const grid = this.getOrCreateGrid(gridId);
    const document = { ...summary, gridId, seq: grid.nextSeq++ };
    const block = this.toBlockMetadata(document, firstEvent);
    this.put(grid, block);
    const id = blockId(gridId, document.seq);
    if (findTier(block) < TIER_ROW_LIMITS.length) {
      const columns = copy();
      this.cache.put(id, columns === undefined ? { document, blobs } : { document, columns });
    }
    return { kind: 'put', collection: this.format.blocks, id, document, blobs };
  }

  private put(grid: GridBlocks, block: BlockMetadata): void {
    grid.blocks.set(block.seq, block);
    grid.rows += block.rows;
    const tier = grid.tiers.at(findTier(block));
    if (tier !== undefined) {
      tier.blocks.push(block);
      tier.rows += block.rows;
      if (isDue(tier)) this.due.add(block.gridId);
    }
    this.observer?.added(block);
  }

  private remove(grid: GridBlocks, block: BlockMetadata): DocumentChange {
    const id = blockId(block.gridId, block.seq);
    grid.blocks.delete(block.seq);
    grid.rows -= block.rows;
    const tier = grid.tiers.at(findTier(block));
    if (tier?.blocks.includes(block)) {
      tier.blocks.splice(tier.blocks.indexOf(block), 1);
      tier.rows -= block.rows;
    }
    this.cache.delete(id);
    this.observer?.removed(block);
    return { kind: 'delete', collection: this.format.blocks, id };
  }

  private getOrCreateGrid(gridId: string): GridBlocks {
    let grid = this.grids.get(gridId);
    if (grid === undefined) {
      const tiers = TIER_ROW_LIMITS.map((): Tier => ({ blocks: [], rows: 0 }));
      grid = { blocks: new Map(), tiers, rows: 0, nextSeq: 0, generation: 0, expiredBefore: 0 };
      this.grids.set(gridId, grid);
    }
    return grid;
  }

  private restoreGrid({ gridId, generation, expiredBefore, nextSeq }: BlockCompactionDocument): void {
    Object.assign(this.getOrCreateGrid(gridId), { generation, expiredBefore, nextSeq });
  }

  private toBlockMetadata(document: Summary & BlockLocation, firstEvent: number): BlockMetadata {
    const { gridId, seq, rows, maxRevision } = document;
    return {
      gridId,
      seq,
      rows,
      maxRevision,
      firstEvent,
      oldestUs: this.format.oldest(document),
      newestUs: this.format.newest(document),
    };
  }
}

/** Index of the tier for blocks of this size; beyond the last tier for final blocks. */
function findTier({ rows }: BlockMetadata): number {
  const tier = TIER_ROW_LIMITS.findIndex((bound) => rows < bound);
  return tier < 0 ? TIER_ROW_LIMITS.length : tier;
}

function isDue({ blocks, rows }: Tier): boolean {
  return blocks.length >= MIN_BLOCKS_TO_MERGE || rows >= MAX_BLOCK_ROWS;
}

/** Groups of blocks that are ready to be merged into one block each. */
function findMergeGroups({ tiers }: GridBlocks): BlockMetadata[][] {
  return tiers.filter(isDue).flatMap(({ blocks }) => splitIntoMergeGroups(blocks));
}

/**
 * Consecutive blocks by age, as many per group as fit into a block. Behind a group that fills one, blocks await more of
 * their kind: merged already, their rows would be rewritten once more.
 */
function splitIntoMergeGroups(blocks: readonly BlockMetadata[]): BlockMetadata[][] {
  const groups: BlockMetadata[][] = [];
  let rows = Infinity;
  for (const block of blocks) {
    rows += block.rows;
    if (rows > MAX_BLOCK_ROWS) {
      groups.push([block]);
      rows = block.rows;
    } else groups[groups.length - 1].push(block);
  }
  return groups.length > 1 ? groups.slice(0, -1) : groups;
}
