import { doubled } from '../growth.js';
import type { Interner } from '../interner.js';
import { AttributeReader, REPEATED, SERVICE_NAME } from './attribute-reader.js';
import { ANY_VALUE, REQUEST, RESOURCE, RESOURCE_ITEMS, SCOPE_ITEMS } from './fields.js';
import { WireReader } from './wire-reader.js';

/** Service of telemetry whose resource does not name one. */
export const UNKNOWN_SERVICE = 'unknown_service';

/** What the columns of spans and of logs have in common. */
interface Columns {
  count: number;
  service: Uint32Array;
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[];
  strings: Interner;
  keys: Set<string>;
}

/**
 * Walks the outer levels of an export request, which are the same for all signals, and hands each accepted record to
 * `record`. A resource may stand behind its records: their service is filled in when all of it has been read.
 */
export abstract class RequestDecoder {
  protected readonly attributes = new AttributeReader();
  protected resourceIndex = 0;
  protected emptyString = 0;
  /** Of the record at hand, rejected ones counted. */
  protected ordinal = 0;

  private readonly reader = new WireReader();
  private columns!: Columns;
  private rejected: readonly number[] = [];
  private nextRejected = 0;
  private service = 0;
  private tokens = new Uint32Array(64);
  private checks = new Uint16Array(64);
  private tokenCount = 0;

  /** Reads one record message, from the cursor to `end`, into the columns. */
  protected abstract record(reader: WireReader, end: number): void;

  /** Appends the records of `body`. Where it does not parse, the columns keep the rows that they had. */
  decode(body: Uint8Array, rejected: readonly number[], columns: Columns): void {
    const { reader } = this;
    reader.reset(body);
    this.columns = columns;
    this.rejected = rejected;
    this.nextRejected = 0;
    this.ordinal = 0;
    this.emptyString = columns.strings.idOf('');
    this.attributes.beginRequest(columns.keys);
    const { count } = columns;
    const resources = columns.resourceTokens.length;
    try {
      this.request(body.length);
    } catch (malformed) {
      columns.count = count;
      columns.resourceTokens.length = resources;
      throw malformed;
    }
  }

  private request(end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === REQUEST.resourceItems) this.resourceItems(reader.end(end));
      else reader.skip(tag, end);
    }
  }

  private resourceItems(end: number): void {
    const { reader, columns } = this;
    const first = columns.count;
    this.resourceIndex = columns.resourceTokens.length;
    this.service = this.emptyString;
    this.tokenCount = 0;
    let resources = 0;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === RESOURCE_ITEMS.scopeItems) this.scopeItems(reader.end(end));
      else if (tag === RESOURCE_ITEMS.resource && resources++ === 0) this.resource(reader.end(end));
      else reader.skip(tag, end);
    }
    this.finishResource(first);
  }

  private finishResource(first: number): void {
    const { columns, tokenCount } = this;
    columns.resourceTokens.push({ tokens: this.tokens.slice(0, tokenCount), checks: this.checks.slice(0, tokenCount) });
    const service = this.service === this.emptyString ? columns.strings.idOf(UNKNOWN_SERVICE) : this.service;
    columns.service.fill(service, first, columns.count);
  }

  private scopeItems(end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === SCOPE_ITEMS.record) this.recordOrNot(reader.end(end));
      else reader.skip(tag, end);
    }
  }

  private recordOrNot(end: number): void {
    if (this.rejected[this.nextRejected] === this.ordinal) this.nextRejected++;
    else this.record(this.reader, end);
    this.reader.pos = end;
    this.ordinal++;
  }

  private resource(end: number): void {
    const { reader } = this;
    this.attributes.beginRecord();
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === RESOURCE.attribute) this.resourceAttribute(reader.end(end));
      else reader.skip(tag, end);
    }
  }

  private resourceAttribute(end: number): void {
    const { reader, attributes } = this;
    const key = attributes.read(reader, end);
    if (key === REPEATED) return;
    if (key === SERVICE_NAME) this.service = this.serviceId();
    if (this.tokenCount === this.tokens.length) {
      this.tokens = doubled(this.tokens);
      this.checks = doubled(this.checks);
    }
    this.tokens[this.tokenCount] = attributes.token;
    this.checks[this.tokenCount++] = attributes.check;
  }

  private serviceId(): number {
    const { attributes, columns, reader } = this;
    if (attributes.kind === ANY_VALUE.string) return columns.strings.id(reader.bytes, attributes.from, attributes.to);
    return columns.strings.idOf(attributes.text(reader));
  }
}
