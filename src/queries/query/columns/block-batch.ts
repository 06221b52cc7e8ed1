import type { BlockColumn, BlockLocation, BlockSummary } from '../../../read-models/blocks/block.js';
import { tagCondition } from '../../../read-models/blocks/block-search-conditions.js';
import type { CachedBlock } from '../../../read-models/blocks/cached-block.js';
import type { RecordLocations } from '../../../read-models/blocks/record-column-codec.js';
import type { Attributes } from '../../../telemetry/attributes.js';
import { AttributeExtractor } from '../../../telemetry/otlp/decoding/attribute-extractor.js';
import type { AnswerColumn, Cell, FieldReference, QueryRange } from '../query-model.js';
import { findPostingRows, RowFilter } from '../../telemetry/row-filter.js';
import {
  buildCodedColumn,
  narrowCodes,
  ValueDictionary,
  type CodedColumn,
  type FieldColumn,
  type FieldValue,
  type MultiColumn,
} from './field-column.js';
import type { RecordBatch, Rows } from './record-batch.js';
import { readBlockResources, type BlockResources, type ResourceAttributeCache } from './resource-attributes.js';
import type { StoredFieldReader } from './stored-fields.js';
import type { StoredRecords } from './stored-records.js';

/** What batches of one query share. */
export interface BatchContext {
  readonly records: StoredRecords;
  readonly resources: ResourceAttributeCache;
}

/** If a condition leaves fewer rows than this part of a block, only their records are decoded, and nothing is kept. */
const PARTIAL_READ = 1 / 4;

/**
 * The records of one block. What the block tells comes from its columns; attributes are decoded from the event log once
 * and then kept as columns beside the others.
 */
export abstract class BlockBatch<
  Document extends BlockSummary & BlockLocation,
  Stored extends { readonly attributes: Attributes },
> implements RecordBatch {
  readonly size: number;
  private readonly filter = new RowFilter();

  constructor(
    protected readonly block: CachedBlock<Document>,
    protected readonly context: BatchContext,
  ) {
    this.size = block.document.rows;
  }

  abstract selectRange(range: QueryRange): Promise<Rows>;
  abstract readTimesUs(): Promise<Float64Array>;
  abstract filterText(text: string, rows: Rows): Promise<Rows>;
  abstract readErrors(): Promise<Uint8Array>;
  abstract readRecord(row: number): Promise<readonly Cell[]>;
  /** An intrinsic field from the columns of the block; undefined if only the record has it. */
  protected abstract readIntrinsic(name: string): Promise<FieldColumn> | undefined;
  protected abstract readonly locations: BlockColumn<Document, RecordLocations>;
  /** Field of the record's message that holds its attributes. */
  protected abstract readonly attributeTag: number;
  protected abstract findReader(field: FieldReference): StoredFieldReader<Stored>;
  protected abstract decode(body: Uint8Array, offset: number, length: number, withScope: boolean): Stored;

  async readColumn(field: FieldReference, rows: Rows): Promise<FieldColumn> {
    const intrinsic = field.scope === 'intrinsic' ? this.readIntrinsic(field.name) : undefined;
    if (intrinsic !== undefined) return intrinsic;
    const name = `field ${field.scope} ${field.text}`;
    const known = this.block.findDerived(name) as FieldColumn | undefined;
    if (known !== undefined) return known;
    const isPartial = rows.length < this.size * PARTIAL_READ;
    const { records } = this.context;
    const damagedBefore = records.damagedReads;
    const column = await this.buildColumn(field, isPartial ? rows : everyRow(this.size));
    // A column with gaps is not kept, so that each answer that it affects counts the damaged records.
    if (!isPartial && records.damagedReads === damagedBefore)
      this.block.keepDerived(name, column, measureColumn(column));
    return column;
  }

  /** The index lists attributes of a record together with those of its resource. */
  async findCandidates({ scope, name }: FieldReference, text: string): Promise<Rows | undefined> {
    if (scope !== 'any' && scope !== 'resource') return undefined;
    return findPostingRows(this.block, [tagCondition(name, text)], this.context.records.timeSlice);
  }

  async forEachAttributes(
    rows: Rows,
    visit: (row: number, own: Attributes, resource: Attributes) => void,
  ): Promise<void> {
    const { rows: resourceOf, attributes } = await this.readResources();
    await this.readStored(rows, false, (stored, row) =>
      visit(row, stored.attributes, attributes[resourceOf[row]] ?? NO_ATTRIBUTES),
    );
  }

  /** Rows within the bounds of a column that starts at `minUs`; all rows if the whole block is within. */
  protected async selectTimes(
    range: QueryRange,
    minUs: number,
    maxUs: number,
    times: BlockColumn<Document, Uint32Array | Float64Array>,
  ): Promise<Rows> {
    if (minUs >= range.toUs || maxUs < range.fromUs) return new Uint16Array(0);
    if (minUs >= range.fromUs && maxUs < range.toUs) return everyRow(this.size);
    const offsets = await this.block.read(times);
    return this.filter
      .startWithAll(this.size)
      .within(offsets, range.fromUs - minUs, range.toUs - minUs)
      .take();
  }

  /** Decodes the records of the rows. */
  protected async readStored(
    rows: Rows,
    withScope: boolean,
    visit: (stored: Stored, row: number) => void,
  ): Promise<void> {
    await this.context.records.forEach(await this.block.read(this.locations), rows, (body, offset, length, row) =>
      visit(this.decode(body, offset, length, withScope), row),
    );
  }

  private readResources(): Promise<BlockResources> {
    const { records, resources } = this.context;
    return readBlockResources(this.block, () => this.block.read(this.locations), records, resources);
  }

  private async buildColumn(field: FieldReference, rows: Rows): Promise<FieldColumn> {
    if (field.scope === 'resource') return this.buildResourceColumn(field.name);
    if (field.scope === 'event' || field.scope === 'link') return this.buildMultiColumn(field, rows);
    const own = await this.buildOwnColumn(field, rows);
    return field.scope === 'any' ? combineColumns(own, await this.buildResourceColumn(field.name)) : own;
  }

  private async buildResourceColumn(name: string): Promise<CodedColumn> {
    const { rows, attributes } = await this.readResources();
    const dictionary = new ValueDictionary();
    const codes = Uint32Array.from(attributes, (each) => dictionary.code(each?.[name]));
    return {
      kind: 'coded',
      codes: narrowCodes(
        rows.map((resource) => codes[resource]),
        dictionary.values.length,
      ),
      values: dictionary.values,
    };
  }

  private async buildOwnColumn(field: FieldReference, rows: Rows): Promise<CodedColumn> {
    const dictionary = new ValueDictionary();
    const codes = new Uint16Array(this.size);
    if (isOwnAttribute(field)) {
      const locations = await this.block.read(this.locations);
      const extractors = [...new Set([field.name, field.text])].map(
        (key) => new AttributeExtractor(key, this.attributeTag),
      );
      await this.context.records.forEach(locations, rows, (body, offset, length, row) => {
        codes[row] = dictionary.code(extractFirst(extractors, body, offset, length));
      });
    } else {
      const read = this.findReader(field);
      await this.readStored(rows, field.scope === 'scope', (stored, row) => {
        codes[row] = dictionary.code(read(stored) as FieldValue);
      });
    }
    return { kind: 'coded', codes: narrowCodes(codes, dictionary.values.length), values: dictionary.values };
  }

  private async buildMultiColumn(field: FieldReference, rows: Rows): Promise<MultiColumn> {
    const read = this.findReader(field);
    const dictionary = new ValueDictionary();
    const lists = new Array<readonly number[] | undefined>(this.size);
    await this.readStored(rows, false, (stored, row) => {
      const present = (read(stored) as readonly FieldValue[]).filter((value) => value !== undefined);
      lists[row] = present.map((value) => dictionary.code(value));
    });
    let end = 0;
    const ends = Uint32Array.from({ length: this.size }, (_, row) => (end += lists[row]?.length ?? 0));
    return {
      kind: 'multi',
      ends,
      codes: Uint32Array.from(lists.flatMap((list) => list ?? [])),
      values: dictionary.values,
    };
  }
}

const NO_ATTRIBUTES: Attributes = {};

/** True for an attribute of the record itself. */
function isOwnAttribute({ scope }: FieldReference): boolean {
  return scope === 'any' || scope === 'span' || scope === 'log';
}

/** `log.file.path` is the attribute `file.path` of a log record or, as semantic conventions have it, `log.file.path`. */
function extractFirst(
  extractors: readonly AttributeExtractor[],
  body: Uint8Array,
  offset: number,
  length: number,
): FieldValue {
  for (const extractor of extractors) {
    const value = extractor.read(body, offset, length);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Columns that start a list of records of either signal. */
export const ATTRIBUTE_COLUMNS: readonly AnswerColumn[] = ['attributes', 'resource', 'scope'].map((name) => ({
  name,
  type: 'object',
  unit: '',
}));

const EVERY_ROW = Uint16Array.from({ length: 2 ** 16 }, (_, row) => row);

/** Rows 0 to `count` − 1. */
export function everyRow(count: number): Rows {
  return EVERY_ROW.subarray(0, count);
}

/** The value of the record or, where it has none, of its resource. */
function combineColumns(own: CodedColumn, resource: CodedColumn): CodedColumn {
  if (resource.values.length === 1) return own;
  return buildCodedColumn(
    own.codes.length,
    (row) => own.values[own.codes[row]] ?? resource.values[resource.codes[row]],
  );
}

function measureColumn(column: FieldColumn): number {
  const texts = 'values' in column ? column.values : [];
  const bytes = texts.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length * 2 + 40 : 16), 0);
  if (column.kind === 'coded') return bytes + column.codes.byteLength;
  return column.kind === 'multi' ? bytes + column.codes.byteLength + column.ends.byteLength : bytes;
}
