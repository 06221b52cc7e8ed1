import { isAllZero, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../trace-identifiers.js';
import { SPAN, SPAN_EVENT, SPAN_LINK, STATUS } from '../wire/otlp-field-tags.js';
import { RequestValidator } from './request-validator.js';
import { RejectionReason, MAX_EVENTS_AND_LINKS } from './record-rejections.js';

/**
 * Validates spans. Both ids and times within the bounds are mandatory; the parent's id is optional. An end that is
 * unset or before the start is accepted (contract: it counts as duration 0); only the start is then checked.
 */
export class SpanValidator extends RequestValidator {
  /** Number of events and links. */
  private items = 0;
  private hasTraceId = false;
  private hasSpanId = false;
  private startLo = 0;
  private startHi = 0;
  private endLo = 0;
  private endHi = 0;

  protected override visitRecord(end: number): void {
    this.reason = RejectionReason.None;
    this.checkRecordSize(end);
    this.items = 0;
    this.hasTraceId = this.hasSpanId = false;
    this.startLo = this.startHi = this.endLo = this.endHi = 0;
    while (this.reader.pos < end) this.checkField(end);
    if (this.items > MAX_EVENTS_AND_LINKS) this.reject(RejectionReason.Items);
    if (!this.hasTraceId) this.reject(RejectionReason.TraceId);
    if (!this.hasSpanId) this.reject(RejectionReason.SpanId);
    this.checkTime(this.startHi, this.startLo);
    if (!this.endsAfterStart()) return this.finishRecord(this.startHi, this.startLo);
    this.checkTime(this.endHi, this.endLo);
    this.finishRecord(this.endHi, this.endLo);
  }

  private checkField(limit: number): void {
    const { reader } = this;
    const tag = reader.readTag(limit);
    switch (tag) {
      case SPAN.attribute:
        this.checkAttribute(reader.readPayloadEnd(limit));
        break;
      case SPAN.traceId:
        this.hasTraceId = this.isValidId(reader.readPayloadEnd(limit), TRACE_ID_BYTES);
        break;
      case SPAN.spanId:
        this.hasSpanId = this.isValidId(reader.readPayloadEnd(limit), SPAN_ID_BYTES);
        break;
      case SPAN.parentSpanId:
        this.checkParentId(reader.readPayloadEnd(limit));
        break;
      case SPAN.name:
      case SPAN.traceState:
        this.checkString(limit);
        break;
      case SPAN.start:
        reader.readFixed64(limit);
        this.startLo = reader.lo;
        this.startHi = reader.hi;
        break;
      case SPAN.end:
        reader.readFixed64(limit);
        this.endLo = reader.lo;
        this.endHi = reader.hi;
        break;
      case SPAN.event:
        this.items++;
        this.checkEvent(reader.readPayloadEnd(limit));
        break;
      case SPAN.link:
        this.items++;
        this.checkLink(reader.readPayloadEnd(limit));
        break;
      case SPAN.status:
        this.checkStatus(reader.readPayloadEnd(limit));
        break;
      default:
        reader.skip(tag, limit);
    }
  }

  private endsAfterStart(): boolean {
    return this.endHi > this.startHi || (this.endHi === this.startHi && this.endLo > this.startLo);
  }

  private isValidId(end: number, size: number): boolean {
    const { reader } = this;
    const from = reader.pos;
    reader.pos = end;
    return end - from === size && !isAllZero(reader.bytes, from, end);
  }

  /** An absent and an all-zero id both mean no parent. Any other length would silently turn the span into a root. */
  private checkParentId(end: number): void {
    const size = end - this.reader.pos;
    if (size !== 0 && size !== SPAN_ID_BYTES) this.reject(RejectionReason.ParentId);
    this.reader.pos = end;
  }

  private checkEvent(end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === SPAN_EVENT.attribute) this.checkAttribute(reader.readPayloadEnd(end));
      else if (tag === SPAN_EVENT.name) this.checkString(end);
      else reader.skip(tag, end);
    }
  }

  private checkLink(end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === SPAN_LINK.attribute) this.checkAttribute(reader.readPayloadEnd(end));
      else if (tag === SPAN_LINK.traceState) this.checkString(end);
      else reader.skip(tag, end);
    }
  }

  private checkStatus(end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === STATUS.message) this.checkString(end);
      else reader.skip(tag, end);
    }
  }
}
