import { doubled } from '../growth.js';
import type { Interner } from '../interner.js';
import { AttributeReader, REPEATED, SERVICE_INSTANCE, SERVICE_NAME, SERVICE_VERSION } from './attribute-reader.js';
import { RESOURCE } from './fields.js';
import { RequestWalk } from './request-walk.js';

/** Service of telemetry whose resource does not name one. */
export const UNKNOWN_SERVICE = 'unknown_service';

/** What the columns of all signals have in common; those of logs do not keep version and instance. */
interface Columns {
  count: number;
  service: Uint32Array;
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[];
  resourceVersions?: number[];
  resourceInstances?: number[];
  strings: Interner;
  keys: Set<string>;
}

/**
 * Hands each accepted record of an export request to `row`, and keeps what its resource tells. The service of the
 * rows is filled in when all of their resource's items have been read, for the resource may stand behind them.
 */
export abstract class RequestDecoder extends RequestWalk {
  protected readonly attributes = new AttributeReader();
  protected resourceIndex = 0;
  protected emptyString = 0;
  /** Of the record at hand, rejected ones counted. */
  protected ordinal = 0;

  private columns!: Columns;
  private rejected: readonly number[] = [];
  private nextRejected = 0;
  private firstRow = 0;
  private resources = 0;
  private service = 0;
  private version = 0;
  private instance = 0;
  private tokens = new Uint32Array(64);
  private checks = new Uint16Array(64);
  private tokenCount = 0;

  /** Reads one record message, from the cursor to `end`, into the columns. */
  protected abstract row(end: number): void;

  /** Appends the records of `body`. Where it does not parse, the columns keep the rows that they had. */
  decode(body: Uint8Array, rejected: readonly number[], columns: Columns): void {
    this.columns = columns;
    this.rejected = rejected;
    this.nextRejected = 0;
    this.ordinal = 0;
    this.emptyString = columns.strings.idOf('');
    this.attributes.beginRequest(columns.keys);
    const { count } = columns;
    const resources = columns.resourceTokens.length;
    try {
      this.walk(body);
    } catch (malformed) {
      columns.count = count;
      for (const list of [columns.resourceTokens, columns.resourceVersions, columns.resourceInstances]) if (list !== undefined) list.length = resources;
      throw malformed;
    }
  }

  protected override beginResourceItems(): void {
    this.firstRow = this.columns.count;
    this.resourceIndex = this.columns.resourceTokens.length;
    this.resources = 0;
    this.service = this.version = this.instance = this.emptyString;
    this.tokenCount = 0;
  }

  /** Of several resources, which no sender writes, the first counts. */
  protected override resource(end: number): void {
    const { reader } = this;
    if (this.resources++ > 0) {
      reader.pos = end;
      return;
    }
    this.attributes.beginRecord();
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === RESOURCE.attribute) this.resourceAttribute(reader.end(end));
      else reader.skip(tag, end);
    }
  }

  protected override beginScopeItems(): void {}

  protected override scope(end: number): void {
    this.reader.pos = end;
  }

  protected override record(end: number): void {
    if (this.isAccepted()) this.row(end);
    this.reader.pos = end;
    this.ordinal++;
  }

  /** Is the record with the ordinal at hand none of the rejected ones? To be asked once of each. */
  protected isAccepted(): boolean {
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
    const service = this.service === this.emptyString ? columns.strings.idOf(UNKNOWN_SERVICE) : this.service;
    columns.service.fill(service, this.firstRow, columns.count);
  }

  private resourceAttribute(end: number): void {
    const { reader, attributes } = this;
    const key = attributes.read(reader, end);
    if (key === REPEATED) return;
    if (key <= SERVICE_INSTANCE) this.identity(key);
    if (this.tokenCount === this.tokens.length) {
      this.tokens = doubled(this.tokens);
      this.checks = doubled(this.checks);
    }
    this.tokens[this.tokenCount] = attributes.token;
    this.checks[this.tokenCount++] = attributes.check;
  }

  private identity(key: number): void {
    const id = this.attributes.textId(this.reader, this.columns.strings);
    if (key === SERVICE_NAME) this.service = id;
    else if (key === SERVICE_VERSION) this.version = id;
    else this.instance = id;
  }
}
