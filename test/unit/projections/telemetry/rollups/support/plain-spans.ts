import { randomUUID } from 'node:crypto';
import type { NewEvent } from '../../../../../../src/streams/event-store.js';
import { SCOPE_ITEMS, SPAN, SPAN_EVENT, STATUS } from '../../../../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import { OtlpWriter } from '../../../../../support/generator/otlp-writer.js';
import type { PlainSpan } from '../../../../../support/naive-rollups.js';
import { GRID, received } from '../../../engine/support/requests.js';

const WIRE_KINDS = { INTERNAL: 1, SERVER: 2, CLIENT: 3, PRODUCER: 4, CONSUMER: 5 } as const;
const STATUS_ERROR = 2;

/** An export request with these spans. Trace and span ids are decimal numbers; exceptions come at the end of their span. */
export function plainSpansReceived(spans: readonly PlainSpan[], gridId = GRID): NewEvent {
  const writer = new OtlpWriter();
  for (const span of spans) writer.resourceItems(resourceOf(span), () => write(writer, span));
  return { ...received(gridId, 'traces', spans.length, writer.finish()), id: randomUUID() };
}

function resourceOf({ service, version, instance }: PlainSpan): Record<string, string> {
  return {
    'service.name': service,
    ...(version ? { 'service.version': version } : {}),
    ...(instance ? { 'service.instance.id': instance } : {}),
  };
}

function write(writer: OtlpWriter, span: PlainSpan): void {
  const message = writer.beginField(SCOPE_ITEMS.record);
  writer.writeBytesField(SPAN.traceId, idOf(span.traceId, 16));
  writer.writeBytesField(SPAN.spanId, idOf(span.spanId, 8));
  if (span.parentId !== '') writer.writeBytesField(SPAN.parentSpanId, idOf(span.parentId, 8));
  writer.writeTextField(SPAN.name, span.operation);
  writer.writeIntegerField(SPAN.kind, WIRE_KINDS[span.kind]);
  writer.time(SPAN.start, span.startNs);
  writer.time(SPAN.end, span.endNs);
  if (span.peer) writer.attributes(SPAN.attribute, { 'peer.service': span.peer });
  for (const { type, message: text } of span.exceptions ?? []) {
    const event = writer.beginField(SPAN.event);
    writer.time(SPAN_EVENT.time, span.endNs > span.startNs ? span.endNs : span.startNs);
    writer.writeTextField(SPAN_EVENT.name, 'exception');
    writer.attributes(SPAN_EVENT.attribute, { 'exception.type': type, 'exception.message': text });
    writer.endField(event);
  }
  if (span.error) {
    const status = writer.beginField(SPAN.status);
    writer.writeIntegerField(STATUS.code, STATUS_ERROR);
    writer.endField(status);
  }
  writer.endField(message);
}

function idOf(number: string, size: number): Buffer {
  const id = Buffer.alloc(size, 0xa5);
  id.writeUInt32BE(Number(number), size - 4);
  return id;
}
