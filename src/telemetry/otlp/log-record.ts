import type { Attributes } from '../attributes.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../ids.js';
import { noAttributes, readAttribute, valueAt } from './any-value.js';
import { LOG_RECORD } from './fields.js';
import { idHex, stringOf, unixNanosOf } from './record-fields.js';
import { WireReader } from './wire-reader.js';

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
export function decodeLog(body: Uint8Array, offset: number, length: number): LogRecord {
  const reader = new WireReader(body.subarray(offset, offset + length));
  const end = length;
  const attributes = noAttributes();
  const log = {
    time: 0n, observedTime: 0n, severityNumber: 0, severityText: '', body: '', eventName: '', traceId: '', spanId: '', attributes,
  };
  while (reader.pos < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case LOG_RECORD.time: log.time = unixNanosOf(reader, end); break;
      case LOG_RECORD.observedTime: log.observedTime = unixNanosOf(reader, end); break;
      case LOG_RECORD.severityNumber: log.severityNumber = reader.varint(end); break;
      case LOG_RECORD.severityText: log.severityText = stringOf(reader, end); break;
      case LOG_RECORD.body: log.body = bodyText(reader, reader.end(end)); break;
      case LOG_RECORD.eventName: log.eventName = stringOf(reader, end); break;
      case LOG_RECORD.traceId: log.traceId = idHex(reader, end, TRACE_ID_BYTES); break;
      case LOG_RECORD.spanId: log.spanId = idHex(reader, end, SPAN_ID_BYTES); break;
      case LOG_RECORD.attribute: readAttribute(reader, reader.end(end), attributes); break;
      default: reader.skip(tag, end);
    }
  }
  return log;
}

function bodyText(reader: WireReader, end: number): string {
  return String(valueAt(reader, reader.pos, end));
}
