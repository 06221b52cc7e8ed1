import { microsOf } from '../time.js';
import { MAX_DEPTH } from './any-value.js';
import { ANY_VALUE, ARRAY_VALUE, KEY_VALUE, KEY_VALUE_LIST, RESOURCE, SCOPE } from './fields.js';
import { RequestWalk } from './request-walk.js';
import { Spread } from './spread.js';
import { isUtf8 } from './utf8.js';
import { Fault, MAX_RECORD_BYTES, MAX_SHARED_BYTES, Verdicts } from './verdicts.js';

/** Times outside, ms since 1970 and both inclusive, are rejected; `oldestMs` 0: no bound. */
export interface TimeBounds {
  readonly oldestMs: number;
  readonly newestMs: number;
}

const INT64_SIGN = 0x8000_0000;

/**
 * Judges every record of a request in one walk that makes no objects. A record that breaks a rule is rejected; bytes
 * that are no protobuf refuse the whole body (MalformedBody). The leaf walk of each signal is a subclass.
 */
export abstract class RequestValidator extends RequestWalk {
  protected readonly verdicts = new Verdicts();
  private readonly spread = new Spread();
  /** First fault of the message at hand. */
  protected fault: Fault = Fault.None;
  private oldestUs = 0;
  private newestUs = 0;
  private firstOfResource = 0;
  private resourceFault: Fault = Fault.None;
  private firstOfScope = 0;
  private scopeFault: Fault = Fault.None;

  /** The verdicts are valid until the next call. */
  validate(body: Uint8Array, bounds: TimeBounds): Verdicts {
    this.verdicts.clear();
    this.spread.clear();
    this.oldestUs = bounds.oldestMs * 1000;
    this.newestUs = bounds.newestMs * 1000;
    this.walk(body);
    return this.verdicts;
  }

  protected override beginResourceItems(): void {
    this.firstOfResource = this.verdicts.total;
    this.resourceFault = Fault.None;
    this.spread.begin();
  }

  protected override resource(end: number): void {
    const { bytes, pos } = this.reader;
    this.fault = this.resourceFault;
    this.sharedSize(end);
    this.attributesOf(RESOURCE.attribute, end);
    this.resourceFault = this.fault;
    this.spread.named(bytes, pos, end);
  }

  protected override beginScopeItems(): void {
    this.firstOfScope = this.verdicts.total;
    this.scopeFault = Fault.None;
  }

  protected override scope(end: number): void {
    const { reader } = this;
    this.fault = this.scopeFault;
    this.sharedSize(end);
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === SCOPE.attribute) this.attribute(reader.end(end));
      else if (tag === SCOPE.name || tag === SCOPE.version) this.string(end);
      else reader.skip(tag, end);
    }
    this.scopeFault = this.fault;
  }

  protected override endScopeItems(): void {
    this.verdicts.rejectSince(this.firstOfScope, this.scopeFault);
  }

  protected override endResourceItems(): void {
    this.verdicts.rejectSince(this.firstOfResource, this.resourceFault);
    if (this.resourceFault === Fault.None) this.spread.end();
  }

  /** Ends the judgement of a record that counts in the minute of this time in ns. */
  protected judged(hi: number, lo: number): void {
    if (this.fault === Fault.None) this.spread.note(microsOf(hi, lo));
    this.verdicts.add(this.fault);
  }

  protected reject(fault: Fault): void {
    if (this.fault === Fault.None) this.fault = fault;
  }

  /** Judges the size of the message that reaches from the cursor to `end`. */
  protected size(end: number): void {
    if (end - this.reader.pos > MAX_RECORD_BYTES) this.reject(Fault.Size);
  }

  private sharedSize(end: number): void {
    if (end - this.reader.pos > MAX_SHARED_BYTES) this.reject(Fault.Shared);
  }

  /** Judges a time in ns. Bounds are compared in whole µs; whatever an int64 cannot hold lies in the future. */
  protected time(hi: number, lo: number): void {
    const micros = microsOf(hi, lo);
    if (micros < this.oldestUs) this.reject(Fault.Old);
    else if (micros > this.newestUs || hi >= INT64_SIGN) this.reject(Fault.Future);
  }

  protected string(limit: number): void {
    const { reader } = this;
    const end = reader.end(limit);
    if (!isUtf8(reader.bytes, reader.view, reader.pos, end)) this.reject(Fault.Utf8);
    reader.pos = end;
  }

  /** A message of which only the attributes have to be judged. */
  protected attributesOf(attributeTag: number, end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === attributeTag) this.attribute(reader.end(end));
      else reader.skip(tag, end);
    }
  }

  protected attribute(end: number): void {
    this.keyValue(end, 1);
  }

  private keyValue(end: number, depth: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === KEY_VALUE.key) this.string(end);
      else if (tag === KEY_VALUE.value) this.anyValue(reader.end(end), depth);
      else reader.skip(tag, end);
    }
  }

  /** Deeper than MAX_DEPTH nothing is read, so that nesting costs no stack. */
  protected anyValue(end: number, depth: number): void {
    const { reader } = this;
    if (depth > MAX_DEPTH) {
      this.reject(Fault.Depth);
      reader.pos = end;
    }
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === ANY_VALUE.string) this.string(end);
      else if (tag === ANY_VALUE.array) this.values(reader.end(end), depth);
      else if (tag === ANY_VALUE.kvlist) this.pairs(reader.end(end), depth);
      else reader.skip(tag, end);
    }
  }

  private values(end: number, depth: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === ARRAY_VALUE.value) this.anyValue(reader.end(end), depth + 1);
      else reader.skip(tag, end);
    }
  }

  private pairs(end: number, depth: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === KEY_VALUE_LIST.value) this.keyValue(reader.end(end), depth + 1);
      else reader.skip(tag, end);
    }
  }
}
