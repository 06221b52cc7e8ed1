import { doubleCapacity, reserveTokenCapacity } from '../../columns/column-capacity.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../trace-identifiers.js';
import { AttributeTokenHasher, EVENT_NAME_KEY } from '../../attribute-tokens.js';
import { MAX_EXCEPTION_CHARACTERS } from '../../attributes.js';
import { reserveLogRow, reserveWord, type LogColumns } from '../../columns/log-batch-columns.js';
import { LogTemplateExtractor } from '../../log-template.js';
import { normalizeSeverity } from '../../log-severity.js';
import { toUnixMicros, subMicrosecondNanos } from '../../unix-time.js';
import { AsciiWordScanner, extractWords, MAX_ORDERED_WORDS } from '../../full-text.js';
import { isSingleText, readAnyValue } from '../wire/any-value.js';
import { EXCEPTION_MESSAGE_KEY, EXCEPTION_TYPE_KEY, REPEATED_KEY } from './attribute-reader.js';
import { LOG_RECORD } from '../wire/otlp-field-tags.js';
import { clearIdRow, copyIdRow, RequestDecoder } from './request-decoder.js';
import type { WireReader } from '../wire/wire-reader.js';

/**
 * Appends the accepted log records of a decompressed, validated request to `into`. `rejected`: ordinals of records to
 * skip, ascending. Throws MalformedBody if the body does not parse; `into` then keeps its previous rows.
 */
export function decodeLogs(
  body: Uint8Array,
  revision: number,
  rejected: readonly number[],
  receivedAtMs: number,
  into: LogColumns,
): void {
  decoder.setTarget(into, revision, receivedAtMs);
  decoder.decode(body, rejected, into);
}

const EVENT_NAME_LANES = new AttributeTokenHasher();
EVENT_NAME_LANES.addText(EVENT_NAME_KEY);

class LogDecoder extends RequestDecoder {
  private logs!: LogColumns;
  private revision = 0;
  private receivedAtUs = 0;
  private timeLo = 0;
  private timeHi = 0;
  private observedLo = 0;
  private observedHi = 0;
  private eventNameFrom = 0;
  private eventNameTo = 0;
  private readonly hash = new AttributeTokenHasher();
  private readonly scanner = new AsciiWordScanner();
  private readonly template = new LogTemplateExtractor();
  private emptyTemplate = 0;
  /** By word id: the last record without order that contained it. */
  private seen = new Float64Array(1024);
  private recordNumber = 0;

  setTarget(logs: LogColumns, revision: number, receivedAtMs: number): void {
    this.logs = logs;
    this.revision = revision;
    this.receivedAtUs = receivedAtMs * 1000;
    this.emptyTemplate = logs.templates.internText('');
  }

  protected override appendRow(end: number): void {
    const { reader, logs } = this;
    reserveLogRow(logs);
    const row = logs.count;
    this.beginRow(row, reader.pos, end);
    while (reader.pos < end) this.readField(reader, end, row);
    this.finishRow(row);
    logs.count = row + 1;
  }

  private beginRow(row: number, from: number, end: number): void {
    const { logs } = this;
    logs.tokenCount = row === 0 ? 0 : logs.tokenEnd[row - 1];
    logs.wordCount = row === 0 ? 0 : logs.wordEnd[row - 1];
    clearIdRow(logs.traceId, row, TRACE_ID_BYTES);
    clearIdRow(logs.spanId, row, SPAN_ID_BYTES);
    logs.severity[row] = normalizeSeverity(0);
    logs.unordered[row] = 0;
    logs.exception[row] = 0;
    logs.exceptionType[row] = logs.exceptionMessage[row] = this.emptyString;
    logs.template[row] = this.emptyTemplate;
    logs.resource[row] = this.resourceIndex;
    logs.revision[row] = this.revision;
    logs.offset[row] = from;
    logs.length[row] = end - from;
    logs.ordinal[row] = this.ordinal;
    this.timeLo = this.timeHi = this.observedLo = this.observedHi = 0;
    this.eventNameFrom = this.eventNameTo = 0;
    this.attributes.beginRecord();
  }

  private readField(reader: WireReader, end: number, row: number): void {
    const { logs } = this;
    const tag = reader.readTag(end);
    switch (tag) {
      case LOG_RECORD.attribute:
        this.readAttribute(reader, reader.readPayloadEnd(end), row);
        break;
      case LOG_RECORD.time:
        reader.readFixed64(end);
        this.timeLo = reader.lo;
        this.timeHi = reader.hi;
        break;
      case LOG_RECORD.observedTime:
        reader.readFixed64(end);
        this.observedLo = reader.lo;
        this.observedHi = reader.hi;
        break;
      case LOG_RECORD.severityNumber:
        logs.severity[row] = normalizeSeverity(reader.readVarint(end));
        break;
      case LOG_RECORD.body:
        this.readBody(reader, reader.readPayloadEnd(end), row);
        break;
      case LOG_RECORD.eventName:
        this.eventNameTo = reader.readPayloadEnd(end);
        this.eventNameFrom = reader.pos;
        reader.pos = this.eventNameTo;
        break;
      case LOG_RECORD.traceId:
        copyIdRow(reader, reader.readPayloadEnd(end), logs.traceId, row, TRACE_ID_BYTES);
        break;
      case LOG_RECORD.spanId:
        copyIdRow(reader, reader.readPayloadEnd(end), logs.spanId, row, SPAN_ID_BYTES);
        break;
      default:
        reader.skip(tag, end);
    }
  }

  private finishRow(row: number): void {
    const { logs } = this;
    if (this.eventNameTo > this.eventNameFrom) this.addEventNameToken();
    logs.tokenEnd[row] = logs.tokenCount;
    logs.wordEnd[row] = logs.wordCount;
    if (this.timeLo !== 0 || this.timeHi !== 0) this.setTime(row, this.timeHi, this.timeLo);
    else if (this.observedLo !== 0 || this.observedHi !== 0) this.setTime(row, this.observedHi, this.observedLo);
    else {
      logs.timeUs[row] = this.receivedAtUs;
      logs.timeNs[row] = 0;
    }
  }

  /** So that records are found by the name of their event, as by an attribute. */
  private addEventNameToken(): void {
    const { logs, hash } = this;
    hash.reset(EVENT_NAME_LANES.a, EVENT_NAME_LANES.b);
    hash.add(this.reader.view, this.eventNameFrom, this.eventNameTo);
    reserveTokenCapacity(logs);
    logs.tokens[logs.tokenCount] = hash.token();
    logs.tokenChecks[logs.tokenCount++] = hash.check();
  }

  private setTime(row: number, hi: number, lo: number): void {
    this.logs.timeUs[row] = toUnixMicros(hi, lo);
    this.logs.timeNs[row] = subMicrosecondNanos(hi, lo);
  }

  private readAttribute(reader: WireReader, end: number, row: number): void {
    const { attributes, logs } = this;
    const key = attributes.read(reader, end);
    if (key === REPEATED_KEY) return;
    reserveTokenCapacity(logs);
    logs.tokens[logs.tokenCount] = attributes.token;
    logs.tokenChecks[logs.tokenCount++] = attributes.check;
    if (key === EXCEPTION_TYPE_KEY || key === EXCEPTION_MESSAGE_KEY) {
      logs.exception[row] = 1;
      const column = key === EXCEPTION_TYPE_KEY ? logs.exceptionType : logs.exceptionMessage;
      column[row] = attributes.internText(reader, logs.strings, MAX_EXCEPTION_CHARACTERS);
    }
  }

  /** Words and template of the body; a repeated body replaces the previous one. */
  private readBody(reader: WireReader, end: number, row: number): void {
    const { logs } = this;
    logs.wordCount = row === 0 ? 0 : logs.wordEnd[row - 1];
    logs.unordered[row] = 0;
    const from = reader.pos;
    if (isSingleText(reader, end)) this.indexBodyText(reader.bytes, reader.pos, end, row);
    else {
      const text = Buffer.from(String(readAnyValue(reader, from, end)));
      this.indexBodyText(text, 0, text.length, row);
    }
    reader.pos = end;
  }

  private indexBodyText(bytes: Uint8Array, from: number, to: number, row: number): void {
    const { logs, scanner, template } = this;
    template.extract(bytes, from, to);
    logs.template[row] = logs.templates.intern(template.bytes, 0, template.length);
    if (scanner.start(bytes, from, to)) {
      for (let word = scanner.next(logs.words); word >= 0; word = scanner.next(logs.words)) this.addWord(word, row);
    } else {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
      for (const word of extractWords(text)) this.addWord(logs.words.internText(word), row);
    }
  }

  private addWord(id: number, row: number): void {
    const { logs } = this;
    const first = row === 0 ? 0 : logs.wordEnd[row - 1];
    if (logs.unordered[row] === 0 && logs.wordCount - first === MAX_ORDERED_WORDS) this.dropOrder(first, row);
    if (logs.unordered[row] === 1 && this.wasSeen(id)) return;
    reserveWord(logs);
    logs.wordIds[logs.wordCount++] = id;
  }

  /** Keeps the distinct ones of the record's words so far. */
  private dropOrder(first: number, row: number): void {
    const { logs } = this;
    const to = logs.wordCount;
    this.recordNumber++;
    logs.unordered[row] = 1;
    logs.wordCount = first;
    for (let at = first; at < to; at++) {
      const id = logs.wordIds[at];
      if (!this.wasSeen(id)) logs.wordIds[logs.wordCount++] = id;
    }
  }

  /** Whether the record has had this word since `recordNumber` changed; marks it. */
  private wasSeen(id: number): boolean {
    while (id >= this.seen.length) this.seen = doubleCapacity(this.seen);
    if (this.seen[id] === this.recordNumber) return true;
    this.seen[id] = this.recordNumber;
    return false;
  }
}

const decoder = new LogDecoder();
