import type { Attributes } from '../attributes.js';
import { noAttributes, readAttribute } from './any-value.js';
import { SPAN, SPAN_EVENT, SPAN_LINK, STATUS } from './fields.js';
import { bytesHex, idHex, stringOf, unixNanosOf } from './record-fields.js';
import { WireReader } from './wire-reader.js';

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
export function decodeSpan(body: Uint8Array, offset: number, length: number): SpanRecord {
  const reader = new WireReader(body.subarray(offset, offset + length));
  const end = length;
  const events: SpanEventRecord[] = [];
  const links: SpanLinkRecord[] = [];
  const attributes = noAttributes();
  const span = {
    traceId: '', spanId: '', parentSpanId: '', traceState: '', name: '', kind: 0, start: 0n, end: 0n,
    statusCode: 0, statusMessage: '', attributes, events, links,
  };
  while (reader.pos < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case SPAN.traceId: span.traceId = idHex(reader, end); break;
      case SPAN.spanId: span.spanId = idHex(reader, end); break;
      case SPAN.parentSpanId: span.parentSpanId = idHex(reader, end); break;
      case SPAN.traceState: span.traceState = stringOf(reader, end); break;
      case SPAN.name: span.name = stringOf(reader, end); break;
      case SPAN.kind: span.kind = reader.varint(end); break;
      case SPAN.start: span.start = unixNanosOf(reader, end); break;
      case SPAN.end: span.end = unixNanosOf(reader, end); break;
      case SPAN.attribute: readAttribute(reader, reader.end(end), attributes); break;
      case SPAN.event: events.push(readEvent(reader, reader.end(end))); break;
      case SPAN.link: links.push(readLink(reader, reader.end(end))); break;
      case SPAN.status: readStatus(reader, reader.end(end), span); break;
      default: reader.skip(tag, end);
    }
  }
  return span;
}

function readEvent(reader: WireReader, end: number): SpanEventRecord {
  const event = { name: '', time: 0n, attributes: noAttributes() };
  while (reader.pos < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case SPAN_EVENT.name: event.name = stringOf(reader, end); break;
      case SPAN_EVENT.time: event.time = unixNanosOf(reader, end); break;
      case SPAN_EVENT.attribute: readAttribute(reader, reader.end(end), event.attributes); break;
      default: reader.skip(tag, end);
    }
  }
  return event;
}

function readLink(reader: WireReader, end: number): SpanLinkRecord {
  const link = { traceId: '', spanId: '', traceState: '', attributes: noAttributes() };
  while (reader.pos < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case SPAN_LINK.traceId: link.traceId = bytesHex(reader, end); break;
      case SPAN_LINK.spanId: link.spanId = bytesHex(reader, end); break;
      case SPAN_LINK.traceState: link.traceState = stringOf(reader, end); break;
      case SPAN_LINK.attribute: readAttribute(reader, reader.end(end), link.attributes); break;
      default: reader.skip(tag, end);
    }
  }
  return link;
}

function readStatus(reader: WireReader, end: number, span: { statusCode: number; statusMessage: string }): void {
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === STATUS.code) span.statusCode = reader.varint(end);
    else if (tag === STATUS.message) span.statusMessage = stringOf(reader, end);
    else reader.skip(tag, end);
  }
}
