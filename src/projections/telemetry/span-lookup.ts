import { blockId, type BlockPlace } from '../../read-models/blocks/block.js';
import { Bloom } from '../../read-models/blocks/bloom.js';
import { columnBlobs, PACKED_BLOB } from '../../read-models/blocks/packing.js';
import { Section } from '../../read-models/blocks/section.js';
import { SPAN_BLOBS } from '../../read-models/blocks/span-block.js';
import { decodeSpanRows, ROW_BLOBS, type SpanRows } from '../../read-models/blocks/span-rows.js';
import { readTraces, traceIdsByRow } from '../../read-models/blocks/trace-column.js';
import { hashPair, words32 } from '../../read-models/blocks/words32.js';
import type { SpanBlockDocument } from '../../read-models/spans.js';
import type { Collection, ReadModelReader } from '../../read-models/store.js';
import { BoundedCache } from './bounded-cache.js';
import type { SpanIds } from './recent-spans.js';
import type { BlockLookup } from './span-sieve.js';

/** Bytes of blooms kept at hand: some 2,500 full blocks, 20 million spans. */
const BLOOM_BYTES = 32 * 1024 * 1024;

/** Where the filter of span ids stands in its blob. */
const SPAN_BLOOM = 1;

/** Identity columns of one block. */
interface BlockSpanIds extends SpanIds {
  readonly rows: number;
}

/** Looks spans up in stored blocks: first in their filters, and every hit in the id columns. */
export class StoredSpans implements BlockLookup {
  private readonly blooms: BoundedCache<Bloom>;

  /** `memory`: part of the usual bytes kept at hand. */
  constructor(
    private readonly blocks: Collection<SpanBlockDocument>,
    private readonly store: ReadModelReader,
    memory = 1,
  ) {
    this.blooms = new BoundedCache(BLOOM_BYTES * memory, (bloom) => bloom.bytes.byteLength);
  }

  async mark(block: BlockPlace, columns: SpanIds, rows: readonly number[], known: Uint8Array): Promise<void> {
    const bloom = await this.bloomOf(block);
    const spanWords = words32(columns.spanId);
    const hits = rows.filter((row) => known[row] === 0 && bloom.has(hashPair(spanWords[row * 2], spanWords[row * 2 + 1])));
    if (hits.length === 0) return;
    const stored = new Set(identitiesOf(await this.idsOf(block)));
    for (const row of hits) if (stored.has(identityAt(columns, row))) known[row] = 1;
  }

  /** All rows, without tags. */
  async rowsOf(place: BlockPlace): Promise<SpanRows> {
    const { id, document } = await this.find(place);
    return decodeSpanRows(document, await this.blobsOf(id, document.packed, ROW_BLOBS));
  }

  /** Identity columns of all rows. */
  private async idsOf(place: BlockPlace): Promise<BlockSpanIds> {
    const { id, document } = await this.find(place);
    const { start, traces, spans, places } = SPAN_BLOBS;
    const blobs = await this.blobsOf(id, document.packed, [start, traces, spans, places]);
    const section = (name: string): Section => new Section(blobs[name]);
    return {
      rows: document.rows,
      startUs: section(start).float64(0),
      startNs: section(places).uint16(0),
      traceId: traceIdsByRow(readTraces(section(traces), 0)),
      spanId: section(spans).bytes(0).slice(),
    };
  }

  private async find({ gridId, seq }: BlockPlace): Promise<{ readonly id: string; readonly document: SpanBlockDocument }> {
    const id = blockId(gridId, seq);
    const document = await this.store.get(this.blocks, id);
    if (document === undefined) throw new Error(`block ${id} of ${this.blocks.name} is gone`);
    return { id, document };
  }

  private async bloomOf({ gridId, seq }: BlockPlace): Promise<Bloom> {
    const id = blockId(gridId, seq);
    const cached = this.blooms.get(id);
    if (cached !== undefined) return cached;
    const packed = (await this.store.get(this.blocks, id))?.packed ?? false;
    const blobs = await this.blobsOf(id, packed, [SPAN_BLOBS.idBlooms]);
    const bloom = Bloom.from(new Section(blobs[SPAN_BLOBS.idBlooms]).bytes(SPAN_BLOOM));
    this.blooms.set(id, bloom);
    return bloom;
  }

  private async blobsOf(id: string, packed: boolean, names: readonly string[]): Promise<Readonly<Record<string, Uint8Array>>> {
    const blobs: Record<string, Uint8Array> = {};
    for (const name of packed ? [PACKED_BLOB] : names) {
      const blob = await this.store.blob(this.blocks, id, name);
      if (blob === undefined) throw new Error(`blob ${name} of block ${id} of ${this.blocks.name} is gone`);
      blobs[name] = blob;
    }
    return columnBlobs(packed, blobs);
  }
}

function identitiesOf(ids: BlockSpanIds): string[] {
  return Array.from({ length: ids.rows }, (_, row) => identityAt(ids, row));
}

/** Trace id, span id and start as a text to compare. */
function identityAt({ traceId, spanId, startUs, startNs }: SpanIds, row: number): string {
  const trace = Buffer.from(traceId.buffer, traceId.byteOffset + row * 16, 16).toString('latin1');
  const span = Buffer.from(spanId.buffer, spanId.byteOffset + row * 8, 8).toString('latin1');
  return `${trace}${span}${startUs[row]}.${startNs[row]}`;
}
