import { isZero, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../ids.js';
import { SPAN, SPAN_EVENT, SPAN_LINK, STATUS } from './fields.js';
import { RequestValidator } from './request-validator.js';
import { Fault, MAX_ITEMS } from './verdicts.js';

/**
 * Spans need both ids and times within the bounds; the parent's id may be missing. An end that is unset or lies before the start
 * is no fault (contract: it shows duration 0), so the start alone counts then.
 */
export class TraceValidator extends RequestValidator {
  /** Events and links. */
  private items = 0;
  private hasTraceId = false;
  private hasSpanId = false;
  private startLo = 0;
  private startHi = 0;
  private endLo = 0;
  private endHi = 0;

  protected override record(end: number): void {
    this.fault = Fault.None;
    this.size(end);
    this.items = 0;
    this.hasTraceId = this.hasSpanId = false;
    this.startLo = this.startHi = this.endLo = this.endHi = 0;
    while (this.reader.pos < end) this.field(end);
    if (this.items > MAX_ITEMS) this.reject(Fault.Items);
    if (!this.hasTraceId) this.reject(Fault.TraceId);
    if (!this.hasSpanId) this.reject(Fault.SpanId);
    this.time(this.startHi, this.startLo);
    if (!this.endsLater()) return this.judged(this.startHi, this.startLo);
    this.time(this.endHi, this.endLo);
    this.judged(this.endHi, this.endLo);
  }

  private field(limit: number): void {
    const { reader } = this;
    const tag = reader.tag(limit);
    switch (tag) {
      case SPAN.attribute:
        this.attribute(reader.end(limit));
        break;
      case SPAN.traceId:
        this.hasTraceId = this.isId(reader.end(limit), TRACE_ID_BYTES);
        break;
      case SPAN.spanId:
        this.hasSpanId = this.isId(reader.end(limit), SPAN_ID_BYTES);
        break;
      case SPAN.parentSpanId:
        this.parentId(reader.end(limit));
        break;
      case SPAN.name:
      case SPAN.traceState:
        this.string(limit);
        break;
      case SPAN.start:
        reader.fixed64(limit);
        this.startLo = reader.lo;
        this.startHi = reader.hi;
        break;
      case SPAN.end:
        reader.fixed64(limit);
        this.endLo = reader.lo;
        this.endHi = reader.hi;
        break;
      case SPAN.event:
        this.items++;
        this.event(reader.end(limit));
        break;
      case SPAN.link:
        this.items++;
        this.link(reader.end(limit));
        break;
      case SPAN.status:
        this.status(reader.end(limit));
        break;
      default:
        reader.skip(tag, limit);
    }
  }

  private endsLater(): boolean {
    return this.endHi > this.startHi || (this.endHi === this.startHi && this.endLo > this.startLo);
  }

  private isId(end: number, size: number): boolean {
    const { reader } = this;
    const from = reader.pos;
    reader.pos = end;
    return end - from === size && !isZero(reader.bytes, from, end);
  }

  /** Nothing and zeros both say that there is no parent. Another length would make the span a root by mistake. */
  private parentId(end: number): void {
    const size = end - this.reader.pos;
    if (size !== 0 && size !== SPAN_ID_BYTES) this.reject(Fault.ParentId);
    this.reader.pos = end;
  }

  private event(end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === SPAN_EVENT.attribute) this.attribute(reader.end(end));
      else if (tag === SPAN_EVENT.name) this.string(end);
      else reader.skip(tag, end);
    }
  }

  private link(end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === SPAN_LINK.attribute) this.attribute(reader.end(end));
      else if (tag === SPAN_LINK.traceState) this.string(end);
      else reader.skip(tag, end);
    }
  }

  private status(end: number): void {
    const { reader } = this;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === STATUS.message) this.string(end);
      else reader.skip(tag, end);
    }
  }
}
