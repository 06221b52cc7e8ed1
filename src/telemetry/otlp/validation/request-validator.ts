import { toUnixMicros } from '../../unix-time.js';
import { MAX_VALUE_DEPTH } from '../wire/any-value.js';
import { ANY_VALUE, ARRAY_VALUE, KEY_VALUE, KEY_VALUE_LIST, RESOURCE, SCOPE } from '../wire/otlp-field-tags.js';
import { ExportRequestVisitor } from '../wire/wire-reader.js';
import { ServiceMinuteCounter } from './service-minute-counter.js';
import { isUtf8 } from '../../utf8.js';
import {
  RejectionReason,
  MAX_RECORD_BYTES,
  MAX_RESOURCE_OR_SCOPE_BYTES,
  RecordRejections,
} from './record-rejections.js';

/**
 * Records with times outside these bounds (ms since 1970, both inclusive) are rejected; `oldestMs` 0 means unbounded.
 */
export interface TimeBounds {
  readonly oldestMs: number;
  readonly newestMs: number;
}

const INT64_SIGN = 0x8000_0000;

/**
 * Validates every record of a request in one pass without allocating. A record that breaks a rule is rejected; a body
 * that is not protobuf is refused as a whole (MalformedBody). Subclasses validate the records of their signal.
 */
export abstract class RequestValidator extends ExportRequestVisitor {
  protected readonly rejections = new RecordRejections();
  private readonly serviceMinutes = new ServiceMinuteCounter();
  /** First reason found for the current message. */
  protected reason: RejectionReason = RejectionReason.None;
  private oldestUs = 0;
  private newestUs = 0;
  private firstOfResource = 0;
  private resourceReason: RejectionReason = RejectionReason.None;
  private firstOfScope = 0;
  private scopeReason: RejectionReason = RejectionReason.None;

  /**
   * Validates a request. The result is valid until the next call. Throws MalformedBody, TooManyRecords or
   * TooManyServiceMinutes.
   */
  validateRequest(body: Uint8Array, bounds: TimeBounds): RecordRejections {
    this.rejections.clear();
    this.serviceMinutes.clear();
    this.oldestUs = bounds.oldestMs * 1000;
    this.newestUs = bounds.newestMs * 1000;
    this.visitRequest(body);
    return this.rejections;
  }

  protected override beginResourceItems(): void {
    this.firstOfResource = this.rejections.total;
    this.resourceReason = RejectionReason.None;
    this.serviceMinutes.beginResource();
  }

  protected override visitResource(end: number): void {
    const { bytes, pos } = this.reader;
    this.reason = this.resourceReason;
    this.checkSharedSize(end);
    this.checkAttributes(RESOURCE.attribute, end);
    this.resourceReason = this.reason;
    this.serviceMinutes.addResource(bytes, pos, end);
  }

  protected override beginScopeItems(): void {
    this.firstOfScope = this.rejections.total;
    this.scopeReason = RejectionReason.None;
  }

  protected override visitScope(end: number): void {
    const { reader } = this;
    this.reason = this.scopeReason;
    this.checkSharedSize(end);
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === SCOPE.attribute) this.checkAttribute(reader.readPayloadEnd(end));
      else if (tag === SCOPE.name || tag === SCOPE.version) this.checkString(end);
      else reader.skip(tag, end);
    }
    this.scopeReason = this.reason;
  }

  protected override endScopeItems(): void {
    this.rejections.rejectSince(this.firstOfScope, this.scopeReason);
  }

  protected override endResourceItems(): void {
    this.rejections.rejectSince(this.firstOfResource, this.resourceReason);
    if (this.resourceReason === RejectionReason.None) this.serviceMinutes.endResource();
  }

  /** Completes the current record, which counts in the minute of this time (ns, two halves). */
  protected finishRecord(hi: number, lo: number): void {
    if (this.reason === RejectionReason.None) this.serviceMinutes.addRecord(toUnixMicros(hi, lo));
    this.rejections.addRecord(this.reason);
  }

  protected reject(reason: RejectionReason): void {
    if (this.reason === RejectionReason.None) this.reason = reason;
  }

  /** Checks the size of the message from the cursor to `end`. */
  protected checkRecordSize(end: number): void {
    if (end - this.reader.pos > MAX_RECORD_BYTES) this.reject(RejectionReason.Size);
  }

  private checkSharedSize(end: number): void {
    if (end - this.reader.pos > MAX_RESOURCE_OR_SCOPE_BYTES) this.reject(RejectionReason.Shared);
  }

  /** Checks a time in ns. Bounds are compared in whole µs; a value beyond int64 is in the future. */
  protected checkTime(hi: number, lo: number): void {
    const micros = toUnixMicros(hi, lo);
    if (micros < this.oldestUs) this.reject(RejectionReason.Old);
    else if (micros > this.newestUs || hi >= INT64_SIGN) this.reject(RejectionReason.Future);
  }

  protected checkString(limit: number): void {
    const { reader } = this;
    const end = reader.readPayloadEnd(limit);
    if (!isUtf8(reader.bytes, reader.view, reader.pos, end)) this.reject(RejectionReason.Utf8);
    reader.pos = end;
  }

  /** Checks the attributes of a message and skips its other fields. */
  protected checkAttributes(attributeTag: number, end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === attributeTag) this.checkAttribute(reader.readPayloadEnd(end));
      else reader.skip(tag, end);
    }
  }

  protected checkAttribute(end: number): void {
    this.checkKeyValue(end, 1);
  }

  private checkKeyValue(end: number, depth: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === KEY_VALUE.key) this.checkString(end);
      else if (tag === KEY_VALUE.value) this.checkAnyValue(reader.readPayloadEnd(end), depth);
      else reader.skip(tag, end);
    }
  }

  /** Does not descend beyond MAX_VALUE_DEPTH, which bounds the stack. */
  protected checkAnyValue(end: number, depth: number): void {
    const { reader } = this;
    if (depth > MAX_VALUE_DEPTH) {
      this.reject(RejectionReason.Depth);
      reader.pos = end;
    }
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === ANY_VALUE.string) this.checkString(end);
      else if (tag === ANY_VALUE.array) this.checkArray(reader.readPayloadEnd(end), depth);
      else if (tag === ANY_VALUE.kvlist) this.checkKeyValueList(reader.readPayloadEnd(end), depth);
      else reader.skip(tag, end);
    }
  }

  private checkArray(end: number, depth: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === ARRAY_VALUE.value) this.checkAnyValue(reader.readPayloadEnd(end), depth + 1);
      else reader.skip(tag, end);
    }
  }

  private checkKeyValueList(end: number, depth: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === KEY_VALUE_LIST.value) this.checkKeyValue(reader.readPayloadEnd(end), depth + 1);
      else reader.skip(tag, end);
    }
  }
}
