import { toUnixMicros } from '../../unix-time.js';
import { MAX_VALUE_DEPTH } from '../wire/any-value.js';
import { ANY_VALUE, ARRAY_VALUE, KEY_VALUE, KEY_VALUE_LIST, RESOURCE, SCOPE } from '../wire/otlp-field-tags.js';
import { ExportRequestVisitor } from '../wire/export-request-visitor.js';
import { ServiceMinuteCounter } from './service-minute-counter.js';
import { isUtf8 } from '../../utf8.js';
import {
  RejectionReason,
  MAX_RECORD_BYTES,
  MAX_RESOURCE_OR_SCOPE_BYTES,
  RecordRejections,
} from './record-rejections.js';

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
export abstract class RequestValidator extends ExportRequestVisitor {
  protected readonly verdicts = new RecordRejections();
  private readonly spread = new ServiceMinuteCounter();
  /** First fault of the message at hand. */
  protected fault: RejectionReason = RejectionReason.None;
  private oldestUs = 0;
  private newestUs = 0;
  private firstOfResource = 0;
  private resourceFault: RejectionReason = RejectionReason.None;
  private firstOfScope = 0;
  private scopeFault: RejectionReason = RejectionReason.None;

  /** The verdicts are valid until the next call. */
  validateRequest(body: Uint8Array, bounds: TimeBounds): RecordRejections {
    this.verdicts.clear();
    this.spread.clear();
    this.oldestUs = bounds.oldestMs * 1000;
    this.newestUs = bounds.newestMs * 1000;
    this.visitRequest(body);
    return this.verdicts;
  }

  protected override beginResourceItems(): void {
    this.firstOfResource = this.verdicts.total;
    this.resourceFault = RejectionReason.None;
    this.spread.beginResource();
  }

  protected override visitResource(end: number): void {
    const { bytes, pos } = this.reader;
    this.fault = this.resourceFault;
    this.checkSharedSize(end);
    this.checkAttributes(RESOURCE.attribute, end);
    this.resourceFault = this.fault;
    this.spread.addResource(bytes, pos, end);
  }

  protected override beginScopeItems(): void {
    this.firstOfScope = this.verdicts.total;
    this.scopeFault = RejectionReason.None;
  }

  protected override visitScope(end: number): void {
    const { reader } = this;
    this.fault = this.scopeFault;
    this.checkSharedSize(end);
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === SCOPE.attribute) this.checkAttribute(reader.readPayloadEnd(end));
      else if (tag === SCOPE.name || tag === SCOPE.version) this.checkString(end);
      else reader.skip(tag, end);
    }
    this.scopeFault = this.fault;
  }

  protected override endScopeItems(): void {
    this.verdicts.rejectSince(this.firstOfScope, this.scopeFault);
  }

  protected override endResourceItems(): void {
    this.verdicts.rejectSince(this.firstOfResource, this.resourceFault);
    if (this.resourceFault === RejectionReason.None) this.spread.endResource();
  }

  /** Ends the judgement of a record that counts in the minute of this time in ns. */
  protected finishRecord(hi: number, lo: number): void {
    if (this.fault === RejectionReason.None) this.spread.addRecord(toUnixMicros(hi, lo));
    this.verdicts.addRecord(this.fault);
  }

  protected reject(fault: RejectionReason): void {
    if (this.fault === RejectionReason.None) this.fault = fault;
  }

  /** Judges the size of the message that reaches from the cursor to `end`. */
  protected checkRecordSize(end: number): void {
    if (end - this.reader.pos > MAX_RECORD_BYTES) this.reject(RejectionReason.Size);
  }

  private checkSharedSize(end: number): void {
    if (end - this.reader.pos > MAX_RESOURCE_OR_SCOPE_BYTES) this.reject(RejectionReason.Shared);
  }

  /** Judges a time in ns. Bounds are compared in whole µs; whatever an int64 cannot hold lies in the future. */
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

  /** A message of which only the attributes have to be judged. */
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

  /** Deeper than MAX_DEPTH nothing is read, so that nesting costs no stack. */
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
