import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import {
  ANY_VALUE,
  KEY_VALUE,
  REQUEST,
  RESOURCE,
  RESOURCE_ITEMS,
  SCOPE_ITEMS,
  SPAN,
  SPAN_EVENT,
  STATUS,
} from '../otlp/wire/otlp-field-tags.js';
import { WireWriter } from '../otlp/wire/wire-writer.js';
import { readZipkinSpans, type ZipkinEndpoint, type ZipkinSpan } from './zipkin-span-reader.js';

const ID = /^[0-9a-f]{16}$/i;
const TRACE_ID = /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/i;
/** No id has one byte, so validation rejects a span with this one. */
const INVALID_ID = Buffer.alloc(1);
/** Values of the enum SpanKind. */
const KINDS: Readonly<Record<string, number>> = { SERVER: 2, CLIENT: 3, PRODUCER: 4, CONSUMER: 5 };
const INTERNAL = 1;
const STATUS_OK = 1;
const STATUS_ERROR = 2;
const NS_PER_US = 1000n;
const MASK_32 = 0xffff_ffffn;

/**
 * Translates a JSON body of Zipkin's API v2 (a list of spans) into an OTLP export request of traces, by the mapping of
 * OpenTelemetry (specification, trace/sdk_exporters/zipkin.md). Spans keep the order of the body. The server's half of a
 * span that shares the id of its client gets an id of its own, derived from it, and becomes its child. Throws
 * MalformedJson, and OversizedMessage past `maxBytes` of protobuf.
 */
export function translateZipkinToProtobuf(json: Uint8Array, maxBytes?: number): Uint8Array {
  const writer = new WireWriter(maxBytes);
  let service: string | undefined;
  let marks: readonly number[] = [];
  for (const span of readZipkinSpans(json)) {
    if (span.localEndpoint.serviceName !== service) {
      endFields(writer, marks);
      service = span.localEndpoint.serviceName;
      marks = beginService(writer, service);
    }
    writeSpan(writer, span);
  }
  endFields(writer, marks);
  return writer.finish();
}

/** Begins the spans of a service; returns the fields to end, the outer one first. */
function beginService(writer: WireWriter, name: string): readonly number[] {
  const items = writer.beginField(REQUEST.resourceItems);
  const resource = writer.beginField(RESOURCE_ITEMS.resource);
  if (name !== '') writeAttribute(writer, RESOURCE.attribute, 'service.name', name);
  writer.endField(resource);
  return [items, writer.beginField(RESOURCE_ITEMS.scopeItems)];
}

function endFields(writer: WireWriter, marks: readonly number[]): void {
  for (const mark of marks.toReversed()) writer.endField(mark);
}

function writeSpan(writer: WireWriter, span: ZipkinSpan): void {
  const start = span.timestamp ?? span.annotations.at(0)?.timestamp ?? 0n;
  const mark = writer.beginField(SCOPE_ITEMS.record);
  writer.writeBytesField(SPAN.traceId, parseTraceId(span.traceId));
  writer.writeBytesField(SPAN.spanId, span.shared ? deriveServerId(span) : parseId(span.id));
  const parentId = span.shared ? span.id : span.parentId;
  if (parentId !== '') writer.writeBytesField(SPAN.parentSpanId, parseId(parentId));
  if (span.name !== '') writer.writeTextField(SPAN.name, span.name);
  writer.writeIntegerField(SPAN.kind, Object.hasOwn(KINDS, span.kind) ? KINDS[span.kind] : INTERNAL);
  writeTime(writer, SPAN.start, start);
  writeTime(writer, SPAN.end, start + span.duration);
  writeAttributes(writer, span);
  for (const { timestamp, value } of span.annotations) {
    const event = writer.beginField(SPAN.event);
    writeTime(writer, SPAN_EVENT.time, timestamp);
    writer.writeTextField(SPAN_EVENT.name, value);
    writer.endField(event);
  }
  writeStatus(writer, new Map(span.tags));
  writer.endField(mark);
}

/** Tags as they were sent, endpoints by OpenTelemetry's names. */
function writeAttributes(writer: WireWriter, { tags, localEndpoint, remoteEndpoint, debug }: ZipkinSpan): void {
  for (const [key, value] of tags) writeAttribute(writer, SPAN.attribute, key, value);
  if (remoteEndpoint.serviceName !== '')
    writeAttribute(writer, SPAN.attribute, 'peer.service', remoteEndpoint.serviceName);
  writeEndpoint(writer, 'network.local', localEndpoint);
  writeEndpoint(writer, 'network.peer', remoteEndpoint);
  if (debug) writeAttribute(writer, SPAN.attribute, 'zipkin.debug', 'true');
}

function writeEndpoint(writer: WireWriter, prefix: string, { address, port }: ZipkinEndpoint): void {
  if (isIP(address) !== 0) writeAttribute(writer, SPAN.attribute, `${prefix}.address`, address);
  if (port !== 0n) writeAttribute(writer, SPAN.attribute, `${prefix}.port`, String(port));
}

/** `otel.status_code` of OpenTelemetry's exporters, else Zipkin's tag `error`: with any value but `false` the span failed. */
function writeStatus(writer: WireWriter, tags: ReadonlyMap<string, string>): void {
  const [declared, error] = [tags.get('otel.status_code'), tags.get('error')];
  if (declared === undefined && error === undefined) return;
  const isError = declared === undefined ? error !== 'false' : declared === 'ERROR';
  if (!isError && declared !== 'OK') return;
  const mark = writer.beginField(SPAN.status);
  const message = tags.get('otel.status_description') ?? error;
  if (isError && message !== undefined && message !== 'true') writer.writeTextField(STATUS.message, message);
  writer.writeIntegerField(STATUS.code, isError ? STATUS_ERROR : STATUS_OK);
  writer.endField(mark);
}

function writeAttribute(writer: WireWriter, tag: number, key: string, value: string): void {
  const attribute = writer.beginField(tag);
  writer.writeTextField(KEY_VALUE.key, key);
  const mark = writer.beginField(KEY_VALUE.value);
  writer.writeTextField(ANY_VALUE.string, value);
  writer.endField(mark);
  writer.endField(attribute);
}

function writeTime(writer: WireWriter, tag: number, us: bigint): void {
  const ns = us * NS_PER_US;
  writer.writeVarint(tag);
  writer.writeFixed64(Number((ns >> 32n) & MASK_32), Number(ns & MASK_32));
}

/** A trace id of 64 bits is one of 128 bits with leading zeros. */
function parseTraceId(text: string): Buffer {
  return TRACE_ID.test(text) ? Buffer.from(text.padStart(32, '0'), 'hex') : INVALID_ID;
}

function parseId(text: string): Buffer {
  return ID.test(text) ? Buffer.from(text, 'hex') : INVALID_ID;
}

/** The same at each retry. */
function deriveServerId({ traceId, id }: ZipkinSpan): Buffer {
  if (!ID.test(id)) return INVALID_ID;
  return createHash('sha256').update(`${traceId} ${id} server`.toLowerCase()).digest().subarray(0, 8);
}
