import { blockId, type BlockLocation, PACKED_BLOB, unpackColumnBlobs } from '../../../read-models/blocks/block.js';
import { BloomFilter } from '../../../read-models/blocks/bloom-filter.js';
import { Section } from '../../../read-models/blocks/section.js';
import { decodeSpanRows, ROW_BLOBS, SPAN_BLOBS, type SpanRows } from '../../../read-models/blocks/span-block-codec.js';
import { readTraceColumn, expandTraceIds } from '../../../read-models/blocks/record-column-codec.js';
import { hashPair, asWords32 } from '../../../read-models/blocks/uint32-words.js';
import type { SpanBlockDocument } from '../../../read-models/documents/block-documents.js';
import type { Collection, ReadModelReader } from '../../../read-models/read-model-store.js';
import { ByteLruCache } from '../byte-lru-cache.js';
import type { SpanIds } from './recent-spans.js';
import type { BlockLookup } from './span-deduplicator.js';

/** Bytes of Bloom filters to cache: about 2,500 full blocks, 20 million spans. */
const BLOOM_BYTES = 32 * 1024 * 1024;

/** Index of the filter of span ids in its blob. */
const SPAN_BLOOM = 1;

/** Identity columns of one block. */
interface BlockSpanIds extends SpanIds {
  readonly rows: number;
}

/** Looks up spans in stored blocks: first in their Bloom filters, then every hit in the id columns. */
export class StoredSpanLookup implements BlockLookup {
  private readonly blooms: ByteLruCache<BloomFilter>;

  /** `memory`: fraction of the default cache size. */
  constructor(
    private readonly blocks: Collection<SpanBlockDocument>,
    private readonly store: ReadModelReader,
    memory = 1,
  ) {
    this.blooms = new ByteLruCache(BLOOM_BYTES * memory, (bloom) => bloom.bytes.byteLength);
  }

  async markKnown(block: BlockLocation, columns: SpanIds, rows: readonly number[], known: Uint8Array): Promise<void> {
    const bloom = await this.loadBloom(block);
    const spanWords = asWords32(columns.spanId);
    const hits = rows.filter(
      (row) => known[row] === 0 && bloom.has(hashPair(spanWords[row * 2], spanWords[row * 2 + 1])),
    );
    if (hits.length === 0) return;
    const stored = new Set(listIdentities(await this.loadIds(block)));
    for (const row of hits) if (stored.has(readIdentity(columns, row))) known[row] = 1;
  }

  /** All rows, without tags. */
  async loadRows(location: BlockLocation): Promise<SpanRows> {
    const { id, document } = await this.loadDocument(location);
    return decodeSpanRows(document, await this.loadBlobs(id, document.packed, ROW_BLOBS));
  }

  /** Identity columns of all rows. */
  private async loadIds(location: BlockLocation): Promise<BlockSpanIds> {
    const { id, document } = await this.loadDocument(location);
    const { start, traces, spans, places } = SPAN_BLOBS;
    const blobs = await this.loadBlobs(id, document.packed, [start, traces, spans, places]);
    const section = (name: string): Section => new Section(blobs[name]);
    return {
      rows: document.rows,
      startUs: section(start).float64(0),
      startNs: section(places).uint16(0),
      traceId: expandTraceIds(readTraceColumn(section(traces), 0)),
      spanId: section(spans).bytes(0).slice(),
    };
  }

  private async loadDocument({
    gridId,
    seq,
  }: BlockLocation): Promise<{ readonly id: string; readonly document: SpanBlockDocument }> {
    const id = blockId(gridId, seq);
    const document = await this.store.get(this.blocks, id);
    if (document === undefined) throw new Error(`block ${id} of ${this.blocks.name} no longer exists`);
    return { id, document };
  }

  private async loadBloom({ gridId, seq }: BlockLocation): Promise<BloomFilter> {
    const id = blockId(gridId, seq);
    const cached = this.blooms.get(id);
    if (cached !== undefined) return cached;
    const packed = (await this.store.get(this.blocks, id))?.packed ?? false;
    const blobs = await this.loadBlobs(id, packed, [SPAN_BLOBS.idBlooms]);
    const bloom = BloomFilter.fromBytes(new Section(blobs[SPAN_BLOBS.idBlooms]).bytes(SPAN_BLOOM));
    this.blooms.set(id, bloom);
    return bloom;
  }

  private async loadBlobs(
    id: string,
    packed: boolean,
    names: readonly string[],
  ): Promise<Readonly<Record<string, Uint8Array>>> {
    const blobs: Record<string, Uint8Array> = {};
    for (const name of packed ? [PACKED_BLOB] : names) {
      const blob = await this.store.readBlob(this.blocks, id, name);
      if (blob === undefined) throw new Error(`blob ${name} of block ${id} of ${this.blocks.name} no longer exists`);
      blobs[name] = blob;
    }
    return unpackColumnBlobs(packed, blobs);
  }
}

function listIdentities(ids: BlockSpanIds): string[] {
  return Array.from({ length: ids.rows }, (_, row) => readIdentity(ids, row));
}

/** Trace id, span id and start as a comparable string. */
function readIdentity({ traceId, spanId, startUs, startNs }: SpanIds, row: number): string {
  const trace = Buffer.from(traceId.buffer, traceId.byteOffset + row * 16, 16).toString('latin1');
  const span = Buffer.from(spanId.buffer, spanId.byteOffset + row * 8, 8).toString('latin1');
  return `${trace}${span}${startUs[row]}.${startNs[row]}`;
}
