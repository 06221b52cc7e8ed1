import { reserveTokenCapacity } from '../../columns/column-capacity.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../trace-identifiers.js';
import { reserveException, reserveSpanRow, type SpanColumns } from '../../columns/span-batch-columns.js';
import { isCallKind } from '../../span-kind.js';
import { toUnixMicros, subMicrosecondNanos } from '../../unix-time.js';
import {
  FIRST_PEER_KEY,
  HTTP_STATUS,
  DEPRECATED_HTTP_STATUS,
  LAST_KNOWN_KEY,
  REPEATED_KEY,
  type AttributeReader,
} from './attribute-reader.js';
import { ExceptionEventReader } from './exception-event-reader.js';
import { ANY_VALUE, SPAN, STATUS } from '../wire/otlp-field-tags.js';
import { clearIdRow, copyIdRow, RequestDecoder } from './request-decoder.js';
import type { WireReader } from '../wire/wire-reader.js';

const TWO_32 = 2 ** 32;
const LAST_KIND = 5;
const LAST_STATUS = 2;
const NO_PEER_KEY = LAST_KNOWN_KEY + 1;

/**
 * Appends the accepted spans of a decompressed, validated request to `into`. `rejected`: ordinals of spans to skip,
 * ascending. Throws MalformedBody if the body does not parse; `into` then keeps its previous rows.
 */
export function decodeSpans(body: Uint8Array, revision: number, rejected: readonly number[], into: SpanColumns): void {
  const { exceptionCount } = into;
  decoder.setTarget(into, revision);
  try {
    decoder.decode(body, rejected, into);
  } catch (malformed) {
    into.exceptionCount = exceptionCount;
    throw malformed;
  }
}

class SpanDecoder extends RequestDecoder {
  private spans!: SpanColumns;
  private revision = 0;
  private startLo = 0;
  private startHi = 0;
  private endLo = 0;
  private endHi = 0;
  /** HTTP status by the current and by the deprecated attribute; 0 if absent. */
  private httpStatus = 0;
  private deprecatedHttpStatus = 0;
  /**
   * Id of the best peer attribute so far and the range of its text; with `peerFrom` −1 it is not a string, and `peer`
   * is the id of its string form.
   */
  private peerKey = 0;
  private peerFrom = 0;
  private peerTo = 0;
  private peer = 0;
  /** Index of the current span's first exception. */
  private firstException = 0;
  private readonly event = new ExceptionEventReader();

  setTarget(spans: SpanColumns, revision: number): void {
    this.spans = spans;
    this.revision = revision;
  }

  protected override appendRow(end: number): void {
    const { reader, spans } = this;
    reserveSpanRow(spans);
    const row = spans.count;
    this.beginRow(row, reader.pos, end);
    while (reader.pos < end) this.readField(reader, end, row);
    this.finishRow(row);
    spans.count = row + 1;
  }

  private beginRow(row: number, from: number, end: number): void {
    const { spans } = this;
    spans.tokenCount = row === 0 ? 0 : spans.tokenEnd[row - 1];
    clearIdRow(spans.traceId, row, TRACE_ID_BYTES);
    clearIdRow(spans.spanId, row, SPAN_ID_BYTES);
    clearIdRow(spans.parentId, row, SPAN_ID_BYTES);
    spans.operation[row] = this.emptyString;
    spans.kind[row] = 0;
    spans.status[row] = 0;
    spans.resource[row] = this.resourceIndex;
    spans.revision[row] = this.revision;
    spans.offset[row] = from;
    spans.length[row] = end - from;
    this.startLo = this.startHi = this.endLo = this.endHi = 0;
    this.httpStatus = this.deprecatedHttpStatus = 0;
    this.peerKey = NO_PEER_KEY;
    this.firstException = spans.exceptionCount;
    this.attributes.beginRecord();
  }

  private readField(reader: WireReader, end: number, row: number): void {
    const { spans } = this;
    const tag = reader.readTag(end);
    switch (tag) {
      case SPAN.attribute:
        this.readAttribute(reader, reader.readPayloadEnd(end));
        break;
      case SPAN.traceId:
        copyIdRow(reader, reader.readPayloadEnd(end), spans.traceId, row, TRACE_ID_BYTES);
        break;
      case SPAN.spanId:
        copyIdRow(reader, reader.readPayloadEnd(end), spans.spanId, row, SPAN_ID_BYTES);
        break;
      case SPAN.parentSpanId:
        copyIdRow(reader, reader.readPayloadEnd(end), spans.parentId, row, SPAN_ID_BYTES);
        break;
      case SPAN.name: {
        const to = reader.readPayloadEnd(end);
        spans.operation[row] = spans.strings.intern(reader.bytes, reader.pos, to);
        reader.pos = to;
        break;
      }
      case SPAN.kind: {
        const kind = reader.readVarint(end);
        spans.kind[row] = kind <= LAST_KIND ? kind : 0;
        break;
      }
      case SPAN.start:
        reader.readFixed64(end);
        this.startLo = reader.lo;
        this.startHi = reader.hi;
        break;
      case SPAN.end:
        reader.readFixed64(end);
        this.endLo = reader.lo;
        this.endHi = reader.hi;
        break;
      case SPAN.status:
        this.readStatus(reader, reader.readPayloadEnd(end), row);
        break;
      case SPAN.event:
        this.readException(reader, reader.readPayloadEnd(end), row);
        break;
      default:
        reader.skip(tag, end);
    }
  }

  private finishRow(row: number): void {
    const { spans } = this;
    spans.startUs[row] = toUnixMicros(this.startHi, this.startLo);
    spans.startNs[row] = subMicrosecondNanos(this.startHi, this.startLo);
    spans.durationNs[row] = (this.endHi - this.startHi) * TWO_32 + (this.endLo - this.startLo);
    spans.httpStatus[row] = this.httpStatus !== 0 ? this.httpStatus : this.deprecatedHttpStatus;
    spans.peer[row] =
      this.peerKey !== NO_PEER_KEY && isCallKind(spans.kind[row]) ? this.internPeer() : this.emptyString;
    spans.tokenEnd[row] = spans.tokenCount;
    if (spans.exceptionCount > this.firstException)
      this.clampExceptionTimes(spans.startUs[row], toUnixMicros(this.endHi, this.endLo));
  }

  private internPeer(): number {
    return this.peerFrom < 0 ? this.peer : this.spans.strings.intern(this.reader.bytes, this.peerFrom, this.peerTo);
  }

  /**
   * Clamps exception times to the validated times of their span, so that a wrong clock opens no minute in the past or
   * future. An exception without a time counts at the end of the span.
   */
  private clampExceptionTimes(startUs: number, endUs: number): void {
    const { exceptionCount, exceptionUs } = this.spans;
    const lastUs = Math.max(startUs, endUs);
    for (let i = this.firstException; i < exceptionCount; i++)
      exceptionUs[i] = exceptionUs[i] === 0 ? lastUs : Math.min(Math.max(exceptionUs[i], startUs), lastUs);
  }

  private readStatus(reader: WireReader, end: number, row: number): void {
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === STATUS.code) {
        const code = reader.readVarint(end);
        this.spans.status[row] = code <= LAST_STATUS ? code : 0;
      } else reader.skip(tag, end);
    }
  }

  private readAttribute(reader: WireReader, end: number): void {
    const { attributes, spans } = this;
    const key = attributes.read(reader, end);
    if (key === REPEATED_KEY) return;
    reserveTokenCapacity(spans);
    spans.tokens[spans.tokenCount] = attributes.token;
    spans.tokenChecks[spans.tokenCount++] = attributes.check;
    if (key <= LAST_KNOWN_KEY) this.readKnownAttribute(key, reader);
  }

  private readKnownAttribute(key: number, reader: WireReader): void {
    if (key >= FIRST_PEER_KEY) this.readPeer(key, reader);
    else if (key === HTTP_STATUS) this.httpStatus = parseHttpStatus(this.attributes, reader);
    else if (key === DEPRECATED_HTTP_STATUS) this.deprecatedHttpStatus = parseHttpStatus(this.attributes, reader);
  }

  /** Keeps the attribute if it has priority over the one found before. The span kind may not be known yet. */
  private readPeer(key: number, reader: WireReader): void {
    const { attributes } = this;
    if (key > this.peerKey) return;
    if (attributes.kind === ANY_VALUE.string) {
      if (attributes.from === attributes.to) return;
      this.peerFrom = attributes.from;
      this.peerTo = attributes.to;
    } else {
      const id = attributes.internText(reader, this.spans.strings);
      if (id === this.emptyString) return;
      this.peer = id;
      this.peerFrom = -1;
    }
    this.peerKey = key;
  }

  private readException(reader: WireReader, end: number, row: number): void {
    const { event, spans } = this;
    if (event.read(reader, end)) {
      reserveException(spans);
      const at = spans.exceptionCount++;
      spans.exceptionRow[at] = row;
      spans.exceptionType[at] = event.internType(reader, spans.strings);
      spans.exceptionMessage[at] = event.internMessage(reader, spans.strings);
      spans.exceptionUs[at] = event.timeUs;
    }
    reader.pos = end;
  }
}

/** A three-digit HTTP status, as integer or text; 0 for anything else. */
function parseHttpStatus(attribute: AttributeReader, reader: WireReader): number {
  let code = 0;
  if (attribute.kind === ANY_VALUE.int && attribute.hi === 0) code = attribute.lo;
  else if (attribute.kind === ANY_VALUE.string && attribute.to - attribute.from === 3)
    code = Number(attribute.readText(reader));
  return code >= 100 && code <= 999 ? Math.trunc(code) : 0;
}

const decoder = new SpanDecoder();
