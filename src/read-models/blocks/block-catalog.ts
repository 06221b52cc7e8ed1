import { and, eq, range } from '../filter.js';
import type { Collection, ReadModelReader } from '../store.js';
import { Block, type BlockKeeper, type BlockSource } from './cached-block.js';
import type { BlockCatalogDocument, BlockPlace, BlockSummary, SeqRange } from './block.js';

export interface BlockCollections<Document extends BlockSummary & BlockPlace> {
  readonly blocks: Collection<Document>;
  readonly catalogs: Collection<BlockCatalogDocument>;
}

/** The blocks of one Grid, followed by sequence number. */
export class BlockCatalog<Document extends BlockSummary & BlockPlace> {
  private bySeq = new Map<number, Block<Document>>();
  private lastSeq = -1;
  private generation = 0;
  private list: readonly Block<Document>[] = [];
  private following: Promise<void> = Promise.resolve();
  private readonly source: BlockSource<Document>;

  constructor(
    private readonly keeper: BlockKeeper<Document>,
    private readonly store: ReadModelReader,
    private readonly collections: BlockCollections<Document>,
    private readonly gridId: string,
  ) {
    this.source = { store, blocks: collections.blocks };
  }

  /** Blocks as of the last look, ascending by sequence number. */
  get known(): readonly Block<Document>[] {
    return this.list;
  }

  /** Looks for changes, one look at a time: an older answer must not undo a newer one. */
  async current(): Promise<readonly Block<Document>[]> {
    const looked = this.following.then(() => this.follow());
    this.following = looked.catch(() => undefined);
    await looked;
    return this.list;
  }

  /** The generation is read first: when it moves after that, the next look notices. */
  private async follow(): Promise<void> {
    const generation = (await this.store.get(this.collections.catalogs, this.gridId))?.generation ?? 0;
    const startsAnew = generation !== this.generation;
    const found = await this.store.find(this.collections.blocks, {
      filter: startsAnew ? eq('gridId', this.gridId) : and(eq('gridId', this.gridId), range('seq', this.lastSeq + 1)),
      sort: [{ field: 'seq' }],
    });
    if (found.length === 0 && !startsAnew) return;
    const before = this.bySeq;
    this.bySeq = new Map(startsAnew ? [] : before);
    this.generation = generation;
    for (const { id, document } of found) this.take(id, document, before);
    for (const [seq, block] of before) if (!this.bySeq.has(seq)) this.letGo(block);
    this.list = [...this.bySeq.values()].sort((a, b) => a.document.seq - b.document.seq);
  }

  /** Forgets all blocks. */
  close(): void {
    this.list.forEach((block) => this.letGo(block));
  }

  private letGo(block: Block<Document>): void {
    block.detached = true;
    this.keeper.forget(block);
  }

  private take(id: string, document: Document, before: ReadonlyMap<number, Block<Document>>): void {
    for (const replaced of document.replaces) this.dropRange(replaced);
    this.bySeq.set(document.seq, before.get(document.seq) ?? new Block(id, document, this.keeper, this.source));
    this.lastSeq = Math.max(this.lastSeq, document.seq);
  }

  private dropRange([first, last]: SeqRange): void {
    for (let seq = first; seq <= last; seq++) this.bySeq.delete(seq);
  }
}
