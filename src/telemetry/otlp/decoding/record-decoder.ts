import type { Attributes } from '../../attributes.js';
import { createAttributes, readAnyValue, readAttribute } from '../wire/any-value.js';
import {
  LOG_RECORD,
  REQUEST,
  RESOURCE,
  RESOURCE_ITEMS,
  SCOPE_ITEMS,
  SPAN,
  SPAN_EVENT,
  SPAN_LINK,
  STATUS,
} from '../wire/otlp-field-tags.js';
import { readBytesHex, readIdHex, readText, readUnixNanos } from '../wire/wire-values.js';
import { WireReader } from '../wire/wire-reader.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../trace-identifiers.js';
import { UNKNOWN_SERVICE } from './request-decoder.js';

export interface SpanEventRecord {
  readonly name: string;
  readonly time: bigint;
  readonly attributes: Attributes;
}

/** Ids as they were sent, in hex, whatever their length. */
export interface SpanLinkRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  readonly attributes: Attributes;
}

/** One span in full. Ids are lower-case hex, "" for none; times are ns since 1970. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly attributes: Attributes;
  readonly events: readonly SpanEventRecord[];
  readonly links: readonly SpanLinkRecord[];
}

/** The span message at [offset, offset + length) of an inflated traces request. */
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
    name: '',
    kind: 0,
    start: 0n,
    end: 0n,
    statusCode: 0,
    statusMessage: '',
    attributes,
    events,
    links,
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
        reader.skip(tag, end);
    }
  }
  return span;
}

function readEvent(reader: WireReader, end: number): SpanEventRecord {
  const event = { name: '', time: 0n, attributes: createAttributes() };
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
      default:
        reader.skip(tag, end);
    }
  }
  return event;
}

function readLink(reader: WireReader, end: number): SpanLinkRecord {
  const link = { traceId: '', spanId: '', traceState: '', attributes: createAttributes() };
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

/** One log record in full. Ids are lower-case hex, "" for none or malformed; times are ns since 1970, 0n for none. */
export interface LogRecord {
  readonly time: bigint;
  readonly observedTime: bigint;
  /** As sent, 0 for none; see severity.ts. */
  readonly severityNumber: number;
  readonly severityText: string;
  /** String form. */
  readonly body: string;
  readonly eventName: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
}

/** The log record message at [offset, offset + length) of an inflated logs request. */
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
    attributes,
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
      default:
        reader.skip(tag, end);
    }
  }
  return log;
}

function readBodyText(reader: WireReader, end: number): string {
  return String(readAnyValue(reader, reader.pos, end));
}

interface Resource {
  readonly serviceName: string;
  readonly attributes: Attributes;
}

interface RecordByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Resource of the record at `offset` of an inflated traces or logs request. Looks at the outermost level only; an
 * offset that no resource encloses has an empty one.
 */
export function readResourceAt(body: Uint8Array, offset: number): Resource {
  const reader = new WireReader(body);
  for (
    let end = seekField(reader, REQUEST.resourceItems, body.length);
    end >= 0;
    end = seekField(reader, REQUEST.resourceItems, body.length)
  ) {
    if (offset < end) return readResource(reader, offset >= reader.pos ? end : reader.pos);
    reader.pos = end;
  }
  return readResource(reader, reader.pos);
}

/** Where the span or log record with this ordinal (rejected ones counted) stands; undefined past the last. */
export function findRecordAt(body: Uint8Array, ordinal: number): RecordByteRange | undefined {
  const reader = new WireReader(body);
  let left = ordinal;
  for (
    let items = seekField(reader, REQUEST.resourceItems, body.length);
    items >= 0;
    items = seekField(reader, REQUEST.resourceItems, body.length)
  ) {
    for (
      let scope = seekField(reader, RESOURCE_ITEMS.scopeItems, items);
      scope >= 0;
      scope = seekField(reader, RESOURCE_ITEMS.scopeItems, items)
    ) {
      for (
        let record = seekField(reader, SCOPE_ITEMS.record, scope);
        record >= 0;
        record = seekField(reader, SCOPE_ITEMS.record, scope)
      ) {
        if (left-- === 0) return { offset: reader.pos, length: record - reader.pos };
        reader.pos = record;
      }
    }
  }
  return undefined;
}

/** Goes to the next message with this tag: answers its end with the cursor at its first byte, −1 when there is none. */
function seekField(reader: WireReader, wanted: number, limit: number): number {
  while (reader.pos < limit) {
    const tag = reader.readTag(limit);
    if (tag === wanted) return reader.readPayloadEnd(limit);
    reader.skip(tag, limit);
  }
  return -1;
}

function readResource(reader: WireReader, limit: number): Resource {
  const attributes = createAttributes();
  const end = seekField(reader, RESOURCE_ITEMS.resource, limit);
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === RESOURCE.attribute) readAttribute(reader, reader.readPayloadEnd(end), attributes);
    else reader.skip(tag, end);
  }
  return { serviceName: String(attributes['service.name'] ?? '') || UNKNOWN_SERVICE, attributes };
}
