import type { Attributes } from '../../attributes.js';
import { createAttributes, readAnyValue, readAttribute } from '../wire/any-value.js';
import { LOG_RECORD, SPAN, SPAN_EVENT, SPAN_LINK, STATUS } from '../wire/otlp-field-tags.js';
import { readBytesHex, readIdHex, readText, readUnixNanos } from '../wire/wire-values.js';
import { WireReader } from '../wire/wire-reader.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../trace-identifiers.js';

/** Event of a span; `time` in ns since 1970. */
export interface SpanEventRecord {
  readonly name: string;
  readonly time: bigint;
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
}

/** Ids in hex as sent, whatever their length. */
export interface SpanLinkRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  readonly flags: number;
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
}

/** One complete span. Ids are lower-case hex, "" if absent; times are ns since 1970. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  /** Trace flags in the lowest 8 bits; see `SpanFlags` of the OTLP definition. */
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  /** 0 unset, 1 OK, 2 error. */
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly attributes: Attributes;
  readonly events: readonly SpanEventRecord[];
  readonly links: readonly SpanLinkRecord[];
  /** What the sender dropped because of its own limits. */
  readonly droppedAttributesCount: number;
  readonly droppedEventsCount: number;
  readonly droppedLinksCount: number;
}

/** Decodes the span message at [offset, offset + length) of a decompressed traces request. */
export function decodeSpanRecord(body: Uint8Array, offset: number, length: number): SpanRecord {
  const reader = new WireReader(body.subarray(offset, offset + length));
  const end = length;
  const events: SpanEventRecord[] = [];
  const links: SpanLinkRecord[] = [];
  const attributes = createAttributes();
  const span = {
    traceId: '',
    spanId: '',
    parentSpanId: '',
    traceState: '',
    flags: 0,
    name: '',
    kind: 0,
    start: 0n,
    end: 0n,
    statusCode: 0,
    statusMessage: '',
    attributes,
    events,
    links,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    switch (tag) {
      case SPAN.traceId:
        span.traceId = readIdHex(reader, end);
        break;
      case SPAN.spanId:
        span.spanId = readIdHex(reader, end);
        break;
      case SPAN.parentSpanId:
        span.parentSpanId = readIdHex(reader, end);
        break;
      case SPAN.traceState:
        span.traceState = readText(reader, end);
        break;
      case SPAN.name:
        span.name = readText(reader, end);
        break;
      case SPAN.kind:
        span.kind = reader.readVarint(end);
        break;
      case SPAN.start:
        span.start = readUnixNanos(reader, end);
        break;
      case SPAN.end:
        span.end = readUnixNanos(reader, end);
        break;
      case SPAN.attribute:
        readAttribute(reader, reader.readPayloadEnd(end), attributes);
        break;
      case SPAN.event:
        events.push(readEvent(reader, reader.readPayloadEnd(end)));
        break;
      case SPAN.link:
        links.push(readLink(reader, reader.readPayloadEnd(end)));
        break;
      case SPAN.status:
        readStatus(reader, reader.readPayloadEnd(end), span);
        break;
      default:
        readFlagsOrCount(reader, tag, end, span);
    }
  }
  return span;
}

interface FlagsAndCounts {
  flags: number;
  droppedAttributesCount: number;
  droppedEventsCount: number;
  droppedLinksCount: number;
}

/** Skips any other field. */
function readFlagsOrCount(reader: WireReader, tag: number, end: number, span: FlagsAndCounts): void {
  if (tag === SPAN.flags) span.flags = reader.readFixed32(end);
  else if (tag === SPAN.droppedAttributes) span.droppedAttributesCount = reader.readVarint(end);
  else if (tag === SPAN.droppedEvents) span.droppedEventsCount = reader.readVarint(end);
  else if (tag === SPAN.droppedLinks) span.droppedLinksCount = reader.readVarint(end);
  else reader.skip(tag, end);
}

function readEvent(reader: WireReader, end: number): SpanEventRecord {
  const event = { name: '', time: 0n, attributes: createAttributes(), droppedAttributesCount: 0 };
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    switch (tag) {
      case SPAN_EVENT.name:
        event.name = readText(reader, end);
        break;
      case SPAN_EVENT.time:
        event.time = readUnixNanos(reader, end);
        break;
      case SPAN_EVENT.attribute:
        readAttribute(reader, reader.readPayloadEnd(end), event.attributes);
        break;
      case SPAN_EVENT.droppedAttributes:
        event.droppedAttributesCount = reader.readVarint(end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  return event;
}

function readLink(reader: WireReader, end: number): SpanLinkRecord {
  const link = {
    traceId: '',
    spanId: '',
    traceState: '',
    flags: 0,
    attributes: createAttributes(),
    droppedAttributesCount: 0,
  };
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    switch (tag) {
      case SPAN_LINK.traceId:
        link.traceId = readBytesHex(reader, end);
        break;
      case SPAN_LINK.spanId:
        link.spanId = readBytesHex(reader, end);
        break;
      case SPAN_LINK.traceState:
        link.traceState = readText(reader, end);
        break;
      case SPAN_LINK.attribute:
        readAttribute(reader, reader.readPayloadEnd(end), link.attributes);
        break;
      case SPAN_LINK.droppedAttributes:
        link.droppedAttributesCount = reader.readVarint(end);
        break;
      case SPAN_LINK.flags:
        link.flags = reader.readFixed32(end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  return link;
}

function readStatus(reader: WireReader, end: number, span: { statusCode: number; statusMessage: string }): void {
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === STATUS.code) span.statusCode = reader.readVarint(end);
    else if (tag === STATUS.message) span.statusMessage = readText(reader, end);
    else reader.skip(tag, end);
  }
}

/**
 * One complete log record. Ids are lower-case hex, "" if absent or malformed; times are ns since 1970, 0n if absent.
 */
export interface LogRecord {
  readonly time: bigint;
  readonly observedTime: bigint;
  /** As sent, 0 if absent; see log-severity.ts. */
  readonly severityNumber: number;
  readonly severityText: string;
  /** String form. */
  readonly body: string;
  readonly eventName: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Trace flags in the lowest 8 bits. */
  readonly flags: number;
  readonly attributes: Attributes;
  /** What the sender dropped because of its own limits. */
  readonly droppedAttributesCount: number;
}

/** Decodes the log record message at [offset, offset + length) of a decompressed logs request. */
export function decodeLogRecord(body: Uint8Array, offset: number, length: number): LogRecord {
  const reader = new WireReader(body.subarray(offset, offset + length));
  const end = length;
  const attributes = createAttributes();
  const log = {
    time: 0n,
    observedTime: 0n,
    severityNumber: 0,
    severityText: '',
    body: '',
    eventName: '',
    traceId: '',
    spanId: '',
    flags: 0,
    attributes,
    droppedAttributesCount: 0,
  };
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    switch (tag) {
      case LOG_RECORD.time:
        log.time = readUnixNanos(reader, end);
        break;
      case LOG_RECORD.observedTime:
        log.observedTime = readUnixNanos(reader, end);
        break;
      case LOG_RECORD.severityNumber:
        log.severityNumber = reader.readVarint(end);
        break;
      case LOG_RECORD.severityText:
        log.severityText = readText(reader, end);
        break;
      case LOG_RECORD.body:
        log.body = readBodyText(reader, reader.readPayloadEnd(end));
        break;
      case LOG_RECORD.eventName:
        log.eventName = readText(reader, end);
        break;
      case LOG_RECORD.traceId:
        log.traceId = readIdHex(reader, end, TRACE_ID_BYTES);
        break;
      case LOG_RECORD.spanId:
        log.spanId = readIdHex(reader, end, SPAN_ID_BYTES);
        break;
      case LOG_RECORD.attribute:
        readAttribute(reader, reader.readPayloadEnd(end), attributes);
        break;
      case LOG_RECORD.flags:
        log.flags = reader.readFixed32(end);
        break;
      case LOG_RECORD.droppedAttributes:
        log.droppedAttributesCount = reader.readVarint(end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  return log;
}

function readBodyText(reader: WireReader, end: number): string {
  return String(readAnyValue(reader, reader.pos, end));
}
