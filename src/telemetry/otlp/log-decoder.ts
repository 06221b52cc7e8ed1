import { doubled, reserveToken } from '../growth.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../ids.js';
import { MAX_EXCEPTION_CHARACTERS } from '../exceptions.js';
import { reserveLog, reserveWord, type LogColumns } from '../log-columns.js';
import { LogTemplate } from '../log-template.js';
import { knownSeverity } from '../severity.js';
import { microsOf, nanosLeft } from '../time.js';
import { WordScanner } from '../word-scanner.js';
import { wordsOf } from '../words.js';
import { plainText, valueAt } from './any-value.js';
import { EXCEPTION_MESSAGE_KEY, EXCEPTION_TYPE_KEY, REPEATED } from './attribute-reader.js';
import { LOG_RECORD } from './fields.js';
import { clearId, copyId } from './id-column.js';
import { RequestDecoder } from './request-decoder.js';
import type { WireReader } from './wire-reader.js';

/**
 * Appends the accepted log records of an inflated, validated request. `rejected`: ordinals to pass by, ascending.
 * Throws MalformedBody where the body does not parse; `into` keeps the rows that it had.
 */
export function decodeLogs(
  body: Uint8Array,
  revision: number,
  rejected: readonly number[],
  receivedAtMs: number,
  into: LogColumns,
): void {
  decoder.decodeInto(into, revision, receivedAtMs);
  decoder.decode(body, rejected, into);
}

class LogDecoder extends RequestDecoder {
  private logs!: LogColumns;
  private revision = 0;
  private receivedAtUs = 0;
  private timeLo = 0;
  private timeHi = 0;
  private observedLo = 0;
  private observedHi = 0;
  private readonly scanner = new WordScanner();
  private readonly template = new LogTemplate();
  private emptyTemplate = 0;
  /** By word id: the record that had it last. */
  private seen = new Float64Array(1024);
  private recordNumber = 0;

  decodeInto(logs: LogColumns, revision: number, receivedAtMs: number): void {
    this.logs = logs;
    this.revision = revision;
    this.receivedAtUs = receivedAtMs * 1000;
    this.emptyTemplate = logs.templates.idOf('');
  }

  protected override row(end: number): void {
    const { reader, logs } = this;
    reserveLog(logs);
    const row = logs.count;
    this.begin(row, reader.pos, end);
    while (reader.pos < end) this.field(reader, end, row);
    this.finish(row);
    logs.count = row + 1;
  }

  private begin(row: number, from: number, end: number): void {
    const { logs } = this;
    logs.tokenCount = row === 0 ? 0 : logs.tokenEnd[row - 1];
    logs.wordCount = row === 0 ? 0 : logs.wordEnd[row - 1];
    clearId(logs.traceId, row, TRACE_ID_BYTES);
    clearId(logs.spanId, row, SPAN_ID_BYTES);
    logs.severity[row] = knownSeverity(0);
    logs.exception[row] = 0;
    logs.exceptionType[row] = logs.exceptionMessage[row] = this.emptyString;
    logs.template[row] = this.emptyTemplate;
    logs.resource[row] = this.resourceIndex;
    logs.revision[row] = this.revision;
    logs.offset[row] = from;
    logs.length[row] = end - from;
    logs.ordinal[row] = this.ordinal;
    this.timeLo = this.timeHi = this.observedLo = this.observedHi = 0;
    this.recordNumber++;
    this.attributes.beginRecord();
  }

  private field(reader: WireReader, end: number, row: number): void {
    const { logs } = this;
    const tag = reader.tag(end);
    switch (tag) {
      case LOG_RECORD.attribute:
        this.attribute(reader, reader.end(end), row);
        break;
      case LOG_RECORD.time:
        reader.fixed64(end);
        this.timeLo = reader.lo;
        this.timeHi = reader.hi;
        break;
      case LOG_RECORD.observedTime:
        reader.fixed64(end);
        this.observedLo = reader.lo;
        this.observedHi = reader.hi;
        break;
      case LOG_RECORD.severityNumber:
        logs.severity[row] = knownSeverity(reader.varint(end));
        break;
      case LOG_RECORD.body:
        this.body(reader, reader.end(end), row);
        break;
      case LOG_RECORD.traceId:
        copyId(reader, reader.end(end), logs.traceId, row, TRACE_ID_BYTES);
        break;
      case LOG_RECORD.spanId:
        copyId(reader, reader.end(end), logs.spanId, row, SPAN_ID_BYTES);
        break;
      default:
        reader.skip(tag, end);
    }
  }

  private finish(row: number): void {
    const { logs } = this;
    logs.tokenEnd[row] = logs.tokenCount;
    logs.wordEnd[row] = logs.wordCount;
    if (this.timeLo !== 0 || this.timeHi !== 0) this.time(row, this.timeHi, this.timeLo);
    else if (this.observedLo !== 0 || this.observedHi !== 0) this.time(row, this.observedHi, this.observedLo);
    else {
      logs.timeUs[row] = this.receivedAtUs;
      logs.timeNs[row] = 0;
    }
  }

  private time(row: number, hi: number, lo: number): void {
    this.logs.timeUs[row] = microsOf(hi, lo);
    this.logs.timeNs[row] = nanosLeft(hi, lo);
  }

  private attribute(reader: WireReader, end: number, row: number): void {
    const { attributes, logs } = this;
    const key = attributes.read(reader, end);
    if (key === REPEATED) return;
    reserveToken(logs);
    logs.tokens[logs.tokenCount] = attributes.token;
    logs.tokenChecks[logs.tokenCount++] = attributes.check;
    if (key === EXCEPTION_TYPE_KEY || key === EXCEPTION_MESSAGE_KEY) {
      logs.exception[row] = 1;
      const column = key === EXCEPTION_TYPE_KEY ? logs.exceptionType : logs.exceptionMessage;
      column[row] = attributes.textId(reader, logs.strings, MAX_EXCEPTION_CHARACTERS);
    }
  }

  /** Words and template of the body; a body that stands there again replaces the one before. */
  private body(reader: WireReader, end: number, row: number): void {
    const { logs } = this;
    logs.wordCount = row === 0 ? 0 : logs.wordEnd[row - 1];
    this.recordNumber++;
    const from = reader.pos;
    if (plainText(reader, end)) this.bodyText(reader.bytes, reader.pos, end, row);
    else {
      const text = Buffer.from(String(valueAt(reader, from, end)));
      this.bodyText(text, 0, text.length, row);
    }
    reader.pos = end;
  }

  private bodyText(bytes: Uint8Array, from: number, to: number, row: number): void {
    const { logs, scanner, template } = this;
    template.mask(bytes, from, to);
    logs.template[row] = logs.templates.id(template.bytes, 0, template.length);
    if (scanner.start(bytes, from, to)) {
      for (let word = scanner.next(logs.words); word >= 0; word = scanner.next(logs.words)) this.word(word);
    } else {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
      for (const word of wordsOf(text)) this.word(logs.words.idOf(word));
    }
  }

  private word(id: number): void {
    const { logs } = this;
    while (id >= this.seen.length) this.seen = doubled(this.seen);
    if (this.seen[id] === this.recordNumber) return;
    this.seen[id] = this.recordNumber;
    reserveWord(logs);
    logs.wordIds[logs.wordCount++] = id;
  }
}

const decoder = new LogDecoder();
