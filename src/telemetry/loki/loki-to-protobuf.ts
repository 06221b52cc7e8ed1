import {
  ANY_VALUE,
  KEY_VALUE,
  LOG_RECORD,
  REQUEST,
  RESOURCE,
  RESOURCE_ITEMS,
  SCOPE_ITEMS,
} from '../otlp/wire/otlp-field-tags.js';
import { WireWriter } from '../otlp/wire/wire-writer.js';
import { readLokiJson } from './loki-json-reader.js';
import { readLokiProtobuf } from './loki-protobuf-reader.js';
import type { LabelPairs, LokiEntry, LokiFormat } from './loki-push.js';

/** Labels that name the service, the best first: those that Loki looks for itself (discover_service_name). */
const SERVICE_LABELS = [
  'service_name',
  'service',
  'app',
  'application',
  'name',
  'app_kubernetes_io_name',
  'container',
  'container_name',
  'component',
  'workload',
  'job',
];
const LEVEL_NAMES: ReadonlySet<string> = new Set(['level', 'severity', 'detected_level', 'severity_text']);
/** Severity numbers of OpenTelemetry (logs data model, appendix B) by the first letters of a level. */
const SEVERITIES: readonly (readonly [prefix: string, severityNumber: number])[] = [
  ['trace', 1],
  ['debug', 5],
  ['info', 9],
  ['notice', 10],
  ['warn', 13],
  ['err', 17],
  ['crit', 21],
  ['fatal', 21],
  ['alert', 22],
  ['panic', 23],
  ['emerg', 24],
];
const TRACE_ID_NAMES: ReadonlySet<string> = new Set(['trace_id', 'traceid']);
const SPAN_ID_NAMES: ReadonlySet<string> = new Set(['span_id', 'spanid']);
const TRACE_ID = /^[0-9a-f]{32}$/i;
const SPAN_ID = /^[0-9a-f]{16}$/i;
const MASK_32 = 0xffff_ffffn;

/**
 * Translates a body of Loki's push API into an OTLP export request of logs. Labels become attributes of the resource,
 * structured metadata attributes of the record; the service, the severity and the ids of trace and span are taken from those
 * that usually hold them. Throws MalformedJson or MalformedBody, and OversizedMessage past `maxBytes` of protobuf.
 */
export function translateLokiToProtobuf(format: LokiFormat, body: Uint8Array, maxBytes?: number): Uint8Array {
  const writer = new WireWriter(maxBytes);
  const streams = format === 'loki-json' ? readLokiJson(body) : readLokiProtobuf(body);
  for (const { labels, entries } of streams) {
    const items = writer.beginField(REQUEST.resourceItems);
    writeResource(writer, labels);
    const scope = writer.beginField(RESOURCE_ITEMS.scopeItems);
    for (const entry of entries) writeEntry(writer, entry, labels);
    writer.endField(scope);
    writer.endField(items);
  }
  return writer.finish();
}

function writeResource(writer: WireWriter, labels: LabelPairs): void {
  const mark = writer.beginField(RESOURCE_ITEMS.resource);
  const service = findService(labels);
  if (service !== undefined) writeAttribute(writer, RESOURCE.attribute, 'service.name', service);
  for (const [name, value] of labels) writeAttribute(writer, RESOURCE.attribute, name, value);
  writer.endField(mark);
}

function findService(labels: LabelPairs): string | undefined {
  const values = new Map(labels);
  return SERVICE_LABELS.map((name) => values.get(name)).find((value) => value !== undefined && value !== '');
}

function writeEntry(writer: WireWriter, { timestampNs, line, metadata }: LokiEntry, labels: LabelPairs): void {
  const mark = writer.beginField(SCOPE_ITEMS.record);
  writer.writeVarint(LOG_RECORD.time);
  writer.writeFixed64(Number((timestampNs >> 32n) & MASK_32), Number(timestampNs & MASK_32));
  const level = findValue(metadata, LEVEL_NAMES) ?? findValue(labels, LEVEL_NAMES);
  if (level !== undefined) writeSeverity(writer, level);
  const body = writer.beginField(LOG_RECORD.body);
  writer.writeTextField(ANY_VALUE.string, line);
  writer.endField(body);
  for (const [name, value] of metadata) writeAttribute(writer, LOG_RECORD.attribute, name, value);
  writeId(writer, LOG_RECORD.traceId, findValue(metadata, TRACE_ID_NAMES), TRACE_ID);
  writeId(writer, LOG_RECORD.spanId, findValue(metadata, SPAN_ID_NAMES), SPAN_ID);
  writer.endField(mark);
}

function writeSeverity(writer: WireWriter, level: string): void {
  const text = level.toLowerCase();
  const found = SEVERITIES.find(([prefix]) => text.startsWith(prefix));
  if (found !== undefined) writer.writeIntegerField(LOG_RECORD.severityNumber, found[1]);
  writer.writeTextField(LOG_RECORD.severityText, level);
}

function writeId(writer: WireWriter, tag: number, id: string | undefined, form: RegExp): void {
  if (id !== undefined && form.test(id)) writer.writeBytesField(tag, Buffer.from(id, 'hex'));
}

/** The value of the first of these names, in any case. */
function findValue(pairs: LabelPairs, names: ReadonlySet<string>): string | undefined {
  return pairs.find(([name]) => names.has(name.toLowerCase()))?.[1];
}

function writeAttribute(writer: WireWriter, tag: number, name: string, value: string): void {
  const attribute = writer.beginField(tag);
  writer.writeTextField(KEY_VALUE.key, name);
  const mark = writer.beginField(KEY_VALUE.value);
  writer.writeTextField(ANY_VALUE.string, value);
  writer.endField(mark);
  writer.endField(attribute);
}
