import type { BlockSummary } from '../../read-models/blocks/block.js';
import type { Change } from '../../read-models/store.js';
import type { BlockShelves } from './block-shelves.js';
import { sectionOf, type Portion, type TelemetryProjection } from './sections.js';

/** While somebody holds the blocks, none is merged away: a long reading finds them where it saw them. */
export interface Hold {
  readers: number;
}

/** Keeps the records of a signal in blocks. Whoever owns the shelves restores them. */
export class BlocksProjection<Columns, Summary extends BlockSummary> implements TelemetryProjection<Columns> {
  constructor(
    private readonly shelves: BlockShelves<Columns, Summary>,
    private readonly hold: Hold,
  ) {}

  restore(): Promise<void> {
    return Promise.resolve();
  }

  async received({ columns, sections, rows }: Portion<Columns>): Promise<Change[]> {
    const changes = this.hold.readers > 0 ? [] : await this.shelves.merge();
    for (const [gridId, chosen] of rows) {
      changes.push(...this.shelves.add(gridId, columns, chosen, (row) => sectionOf(sections, row).event));
    }
    return changes;
  }

  expired(gridId: string, before: number): Promise<Change[]> {
    return this.shelves.expire(gridId, before);
  }
}
