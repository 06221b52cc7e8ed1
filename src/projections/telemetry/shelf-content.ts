import type { BlockPlace, BlockSummary } from '../../read-models/blocks/block.js';
import type { ShelfDocument } from '../../read-models/blocks/shelf-document.js';
import type { Document } from '../../read-models/store.js';
import type { Content } from '../projection.js';
import type { BlockFormat } from './block-format.js';
import { findBlock } from './stored-blocks.js';

/** Contents of a projection that keeps blocks on shelves. `digest` sums up the rows of a block. */
export function shelfContents<Summary extends BlockSummary>(
  format: BlockFormat<never, Summary>,
  digest: (document: Summary & BlockPlace, blobs: Readonly<Record<string, Uint8Array>>) => bigint,
): readonly Content[] {
  return [
    {
      kind: 'blocks',
      collection: format.blocks,
      digest: async (store, id) => {
        const block = await findBlock(format, store, id);
        return block && digest(block.document, block.blobs);
      },
    },
    { kind: 'documents', collection: format.catalogs, canonical: canonicalShelf },
  ];
}

/** What equal read models agree in: how often blocks were rewritten depends on how commits fell. */
function canonicalShelf(document: Document): Document {
  const { gridId, expiredBefore } = document as ShelfDocument;
  return { gridId, expiredBefore };
}
