import { doubleCapacity } from '../../columns/column-capacity.js';
import type { StringInterner } from '../../columns/string-interner.js';
import { AttributeReader, REPEATED_KEY, SERVICE_INSTANCE, SERVICE_NAME, SERVICE_VERSION } from './attribute-reader.js';
import { RESOURCE } from '../wire/otlp-field-tags.js';
import { ExportRequestVisitor, type WireReader } from '../wire/wire-reader.js';

/** Service of telemetry whose resource does not name one. */
export const UNKNOWN_SERVICE = 'unknown_service';

/** Columns common to all signals; logs have no columns for version and instance. */
interface BatchColumns {
  count: number;
  service: Uint32Array;
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[];
  resourceVersions?: number[];
  resourceInstances?: number[];
  strings: StringInterner;
  keys: Set<string>;
}

/**
 * Passes each accepted record of an export request to `appendRow` and stores the attributes of its resource. The
 * service of the rows is filled in after all items of their resource, because the resource may follow them.
 */
export abstract class RequestDecoder extends ExportRequestVisitor {
  protected readonly attributes = new AttributeReader();
  protected resourceIndex = 0;
  protected emptyString = 0;
  /** Ordinal of the current record, including rejected ones. */
  protected ordinal = 0;

  private columns!: BatchColumns;
  private rejected: readonly number[] = [];
  private nextRejected = 0;
  private firstRow = 0;
  private resourceCount = 0;
  private service = 0;
  private version = 0;
  private instance = 0;
  private tokens = new Uint32Array(64);
  private checks = new Uint16Array(64);
  private tokenCount = 0;

  /** Reads one record message, from the cursor to `end`, into the columns. */
  protected abstract appendRow(end: number): void;

  /** Appends the records of `body`. If it does not parse, throws MalformedBody and restores the previous row count. */
  decode(body: Uint8Array, rejected: readonly number[], columns: BatchColumns): void {
    this.columns = columns;
    this.rejected = rejected;
    this.nextRejected = 0;
    this.ordinal = 0;
    this.emptyString = columns.strings.internText('');
    this.attributes.beginRequest(columns.keys);
    const { count } = columns;
    const resources = columns.resourceTokens.length;
    try {
      this.visitRequest(body);
    } catch (malformed) {
      columns.count = count;
      for (const list of [columns.resourceTokens, columns.resourceVersions, columns.resourceInstances])
        if (list !== undefined) list.length = resources;
      throw malformed;
    }
  }

  protected override beginResourceItems(): void {
    this.firstRow = this.columns.count;
    this.resourceIndex = this.columns.resourceTokens.length;
    this.resourceCount = 0;
    this.service = this.version = this.instance = this.emptyString;
    this.tokenCount = 0;
  }

  /** Of several resources, which no known sender writes, the first wins. */
  protected override visitResource(end: number): void {
    const { reader } = this;
    if (this.resourceCount++ > 0) {
      reader.pos = end;
      return;
    }
    this.attributes.beginRecord();
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === RESOURCE.attribute) this.readResourceAttribute(reader.readPayloadEnd(end));
      else reader.skip(tag, end);
    }
  }

  protected override beginScopeItems(): void {}

  protected override visitScope(end: number): void {
    this.reader.pos = end;
  }

  protected override visitRecord(end: number): void {
    if (this.consumeIsAccepted()) this.appendRow(end);
    this.reader.pos = end;
    this.ordinal++;
  }

  /** True if the current record is not rejected. Call once per record, in order. */
  protected consumeIsAccepted(): boolean {
    if (this.rejected[this.nextRejected] !== this.ordinal) return true;
    this.nextRejected++;
    return false;
  }

  protected override endScopeItems(): void {}

  protected override endResourceItems(): void {
    const { columns, tokenCount } = this;
    if (columns.count === this.firstRow) return;
    columns.resourceTokens.push({ tokens: this.tokens.slice(0, tokenCount), checks: this.checks.slice(0, tokenCount) });
    columns.resourceVersions?.push(this.version);
    columns.resourceInstances?.push(this.instance);
    const service = this.service === this.emptyString ? columns.strings.internText(UNKNOWN_SERVICE) : this.service;
    columns.service.fill(service, this.firstRow, columns.count);
  }

  private readResourceAttribute(end: number): void {
    const { reader, attributes } = this;
    const key = attributes.read(reader, end);
    if (key === REPEATED_KEY) return;
    if (key <= SERVICE_INSTANCE) this.readServiceIdentity(key);
    if (this.tokenCount === this.tokens.length) {
      this.tokens = doubleCapacity(this.tokens);
      this.checks = doubleCapacity(this.checks);
    }
    this.tokens[this.tokenCount] = attributes.token;
    this.checks[this.tokenCount++] = attributes.check;
  }

  private readServiceIdentity(key: number): void {
    const id = this.attributes.internText(this.reader, this.columns.strings);
    if (key === SERVICE_NAME) this.service = id;
    else if (key === SERVICE_VERSION) this.version = id;
    else this.instance = id;
  }
}

/** A loop: `fill` is slower for so few bytes. */
export function clearIdRow(column: Uint8Array, row: number, size: number): void {
  const end = (row + 1) * size;
  for (let i = row * size; i < end; i++) column[i] = 0;
}

/** Copies an id of the right size into its row; another size leaves the row unchanged. Leaves the cursor at `end`. */
export function copyIdRow(reader: WireReader, end: number, column: Uint8Array, row: number, size: number): void {
  if (end - reader.pos === size) {
    const { bytes, pos } = reader;
    const at = row * size;
    for (let i = 0; i < size; i++) column[at + i] = bytes[pos + i];
  }
  reader.pos = end;
}
