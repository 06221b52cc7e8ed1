import type { BlockLocation, BlockSummary } from '../../../read-models/blocks/block.js';
import type { Document, DocumentChange } from '../../../read-models/read-model-store.js';
import type { BlockCompactor } from './block-compactor.js';
import { findEventRows, type TelemetryBatch, type TelemetryProjection } from '../telemetry-batch.js';
import type { BlockCompactionDocument } from '../../../read-models/documents/block-documents.js';
import type { ProjectionContent } from '../../projection.js';
import type { BlockFormat } from './block-format.js';
import { loadBlock } from './stored-block-cache.js';

/** While `readers` > 0 no block is merged, so that a long read finds all blocks where they were. */
export interface CompactionHold {
  readers: number;
}

/** Stores the records of a signal in blocks. `restore` is a no-op: the owner of the compactor restores it. */
export class BlocksProjection<
  Columns extends object,
  Summary extends BlockSummary,
> implements TelemetryProjection<Columns> {
  constructor(
    private readonly compactor: BlockCompactor<Columns, Summary>,
    private readonly hold: CompactionHold,
  ) {}

  restore(): Promise<void> {
    return Promise.resolve();
  }

  async foldBatch({ columns, eventRows, rows }: TelemetryBatch<Columns>): Promise<DocumentChange[]> {
    const changes = this.hold.readers > 0 ? [] : await this.compactor.merge();
    for (const [gridId, gridRows] of rows) {
      changes.push(...this.compactor.add(gridId, columns, gridRows, (row) => findEventRows(eventRows, row).event));
    }
    return changes;
  }

  expire(gridId: string, before: number): Promise<DocumentChange[]> {
    return this.compactor.expire(gridId, before);
  }
}

/** Contents of a projection that stores blocks. `digest` sums up the rows of a block. */
export function blockContents<Summary extends BlockSummary>(
  format: Pick<BlockFormat<never, Summary>, 'blocks' | 'catalogs' | 'blobs'>,
  digest: (document: Summary & BlockLocation, blobs: Readonly<Record<string, Uint8Array>>) => bigint,
): readonly ProjectionContent[] {
  return [
    {
      kind: 'blocks',
      collection: format.blocks,
      digest: async (store, id) => {
        const block = await loadBlock(format, store, id);
        return block && digest(block.document, block.blobs);
      },
    },
    { kind: 'documents', collection: format.catalogs, canonical: toCanonicalBlockCatalog },
  ];
}

/** The part that is equal in equal read models: how often blocks were rewritten depends on how commits were split. */
function toCanonicalBlockCatalog(document: Document): Document {
  const { gridId, expiredBefore } = document as BlockCompactionDocument;
  return { gridId, expiredBefore };
}
