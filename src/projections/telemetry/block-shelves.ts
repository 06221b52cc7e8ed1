import { blockId, MAX_BLOCK_ROWS, type BlockPlace, type BlockSummary, type EncodedBlock } from '../../read-models/blocks/block.js';
import type { ShelfDocument } from '../../read-models/blocks/shelf-document.js';
import type { Change, ReadModelReader } from '../../read-models/store.js';
import type { BlockFormat } from './block-format.js';
import { StoredBlocks } from './stored-blocks.js';

/** Blocks of fewer rows than this are merged with others of their tier; what reaches the last bound stays. */
const TIERS = [64, 512, 4096];

/** Blocks of one tier that make a merge worth its work. */
const MERGE_FROM = 8;

/** Rows merged in one commit at most, about as many as a commit brings. */
const MERGE_ROWS = 32_768;

/** What is known of a block without reading it. */
export interface ShelvedBlock {
  readonly gridId: string;
  readonly seq: number;
  readonly rows: number;
  readonly oldestUs: number;
  readonly newestUs: number;
  readonly maxRevision: number;
  /** Number of the event of its oldest row in this process, see RecentSpans; -1: before its start. */
  readonly firstEvent: number;
}

/** Told of every block that comes and goes. */
export interface ShelfObserver {
  added(block: ShelvedBlock): void;
  removed(block: ShelvedBlock): void;
}

interface Shelf {
  readonly blocks: Map<number, ShelvedBlock>;
  /** Blocks that wait to be merged, oldest first, by tier. */
  readonly tiers: ShelvedBlock[][];
  nextSeq: number;
  generation: number;
  expiredBefore: number;
}

/**
 * The blocks of one signal, a shelf for each Grid: new rows become small blocks, eight small ones of a size become a
 * larger one, rows that have expired leave. All of it as changes of the commit at hand.
 */
export class BlockShelves<Columns, Summary extends BlockSummary> {
  private readonly stored: StoredBlocks<Summary>;
  private shelves = new Map<string, Shelf>();
  /** Grids with a tier that is ready to merge, in the order in which they became so. */
  private readonly due = new Set<string>();

  /** `memory`: part of the usual bytes kept at hand. */
  constructor(
    private readonly format: BlockFormat<Columns, Summary>,
    private readonly store: ReadModelReader,
    private readonly observer?: ShelfObserver,
    memory = 1,
  ) {
    this.stored = new StoredBlocks(format, store, memory);
  }

  /** Loads what the store holds. `firstEventOf` numbers the oldest event of a block. */
  async restore(firstEventOf: (gridId: string, revision: number) => number = () => -1): Promise<void> {
    this.shelves = new Map();
    this.due.clear();
    this.stored.clear();
    for (const { document } of await this.store.find(this.format.catalogs, {})) this.restoreShelf(document as ShelfDocument);
    for (const { document } of await this.store.find(this.format.blocks, {})) {
      const shelf = this.shelf(document.gridId);
      shelf.nextSeq = Math.max(shelf.nextSeq, document.seq + 1);
      this.put(shelf, this.shelved(document, firstEventOf(document.gridId, document.minRevision)));
    }
  }

  /** Rows of the Grid before this time (µs) have left. */
  expiredBeforeUs(gridId: string): number {
    return (this.shelves.get(gridId)?.expiredBefore ?? 0) * 1000;
  }

  /** Blocks of a Grid, in no order. */
  blocksOf(gridId: string): Iterable<ShelvedBlock> {
    return this.shelves.get(gridId)?.blocks.values() ?? [];
  }

  /** Writes rows of one Grid, in the order of the log. `eventOf` numbers the event of a row. */
  add(gridId: string, columns: Columns, rows: Uint32Array, eventOf: (row: number) => number): Change[] {
    const changes: Change[] = [];
    for (let from = 0; from < rows.length; from += MAX_BLOCK_ROWS) {
      const chunk = rows.subarray(from, from + MAX_BLOCK_ROWS);
      changes.push(this.write(gridId, this.format.encode(columns, chunk), eventOf(chunk[0])));
    }
    return changes;
  }

  /** Merges what is due, within the bounds of a commit. */
  async merge(): Promise<Change[]> {
    const changes: Change[] = [];
    let rows = 0;
    // A copy: what is merged now is read back for the next tier only after it was committed.
    for (const gridId of [...this.due]) {
      for (const group of groupsOf(this.shelf(gridId))) {
        if (rows >= MERGE_ROWS) return changes;
        rows += group.reduce((sum, block) => sum + block.rows, 0);
        changes.push(...(await this.replace(gridId, group)));
      }
      if (groupsOf(this.shelf(gridId)).length === 0) this.due.delete(gridId);
    }
    return changes;
  }

  /** Lets the Grid's rows before this time (ms) leave. */
  async expire(gridId: string, before: number): Promise<Change[]> {
    const shelf = this.shelf(gridId);
    if (before <= shelf.expiredBefore) return [];
    shelf.expiredBefore = before;
    const beforeUs = before * 1000;
    const changes: Change[] = [];
    for (const block of [...shelf.blocks.values()].filter(({ oldestUs }) => oldestUs < beforeUs)) {
      if (block.newestUs < beforeUs) changes.push(this.remove(shelf, block));
      else changes.push(...(await this.replace(gridId, [block], { fromUs: beforeUs })));
    }
    if (changes.length > 0) shelf.generation++;
    const document: ShelfDocument = { gridId, generation: shelf.generation, expiredBefore: before, nextSeq: shelf.nextSeq };
    changes.push({ kind: 'put', collection: this.format.catalogs, id: gridId, document });
    return changes;
  }

  private async replace(gridId: string, blocks: readonly ShelvedBlock[], keep?: { fromUs: number }): Promise<Change[]> {
    const shelf = this.shelf(gridId);
    const sources = await Promise.all(blocks.map((block) => this.stored.load(block)));
    const merged = this.format.merge(sources, keep);
    const firstEvent = Math.min(...blocks.map((block) => block.firstEvent));
    const changes = blocks.map((block) => this.remove(shelf, block));
    if (merged !== undefined) changes.push(this.write(gridId, merged, firstEvent));
    return changes;
  }

  private write(gridId: string, { document: summary, blobs }: EncodedBlock<Summary>, firstEvent: number): Change {
    const shelf = this.shelf(gridId);
    const document = { ...summary, gridId, seq: shelf.nextSeq++ };
    const block = this.shelved(document, firstEvent);
    this.put(shelf, block);
    const id = blockId(gridId, document.seq);
    if (tierOf(block) < TIERS.length) this.stored.keep(id, { document, blobs });
    return { kind: 'put', collection: this.format.blocks, id, document, blobs };
  }

  private put(shelf: Shelf, block: ShelvedBlock): void {
    shelf.blocks.set(block.seq, block);
    const tier = shelf.tiers[tierOf(block)];
    tier?.push(block);
    if (tier !== undefined && tier.length >= MERGE_FROM) this.due.add(block.gridId);
    this.observer?.added(block);
  }

  private remove(shelf: Shelf, block: ShelvedBlock): Change {
    const id = blockId(block.gridId, block.seq);
    shelf.blocks.delete(block.seq);
    const tier = shelf.tiers[tierOf(block)];
    if (tier?.includes(block)) tier.splice(tier.indexOf(block), 1);
    this.stored.forget(id);
    this.observer?.removed(block);
    return { kind: 'delete', collection: this.format.blocks, id };
  }

  private shelf(gridId: string): Shelf {
    let shelf = this.shelves.get(gridId);
    if (shelf === undefined) {
      shelf = { blocks: new Map(), tiers: TIERS.map(() => []), nextSeq: 0, generation: 0, expiredBefore: 0 };
      this.shelves.set(gridId, shelf);
    }
    return shelf;
  }

  private restoreShelf({ gridId, generation, expiredBefore, nextSeq }: ShelfDocument): void {
    Object.assign(this.shelf(gridId), { generation, expiredBefore, nextSeq });
  }

  private shelved(document: Summary & BlockPlace, firstEvent: number): ShelvedBlock {
    const { gridId, seq, rows, maxRevision } = document;
    return { gridId, seq, rows, maxRevision, firstEvent, oldestUs: this.format.oldest(document), newestUs: this.format.newest(document) };
  }
}

/** Index of the tier that waits for blocks of this size; past the last for those that stay. */
function tierOf({ rows }: ShelvedBlock): number {
  const tier = TIERS.findIndex((bound) => rows < bound);
  return tier < 0 ? TIERS.length : tier;
}

/** Groups that are ready to become one block each. */
function groupsOf({ tiers }: Shelf): ShelvedBlock[][] {
  return tiers.filter((tier) => tier.length >= MERGE_FROM).flatMap((tier) => groupsThatFit(tier));
}

/** Neighbours in the order of their age, as many to a group as fit into a block; a block alone is no group. */
function groupsThatFit(tier: readonly ShelvedBlock[]): ShelvedBlock[][] {
  const groups: ShelvedBlock[][] = [];
  let rows = Infinity;
  for (const block of tier) {
    rows += block.rows;
    if (rows > MAX_BLOCK_ROWS) {
      groups.push([block]);
      rows = block.rows;
    } else groups[groups.length - 1].push(block);
  }
  return groups.filter((group) => group.length > 1);
}
