import { doubled, reserveToken } from '../growth.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../ids.js';
import { reserveLog, reserveWord, type LogColumns } from '../log-columns.js';
import { knownSeverity } from '../severity.js';
import { microsOf, nanosLeft } from '../time.js';
import { WordScanner } from '../word-scanner.js';
import { wordsOf } from '../words.js';
import { valueAt } from './any-value.js';
import { EXCEPTION_MESSAGE_KEY, EXCEPTION_TYPE_KEY, REPEATED } from './attribute-reader.js';
import { ANY_VALUE, LOG_RECORD } from './fields.js';
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
  /** By word id: the record that had it last. */
  private seen = new Float64Array(1024);
  private recordNumber = 0;

  decodeInto(logs: LogColumns, revision: number, receivedAtMs: number): void {
    this.logs = logs;
    this.revision = revision;
    this.receivedAtUs = receivedAtMs * 1000;
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
    if (key === EXCEPTION_TYPE_KEY || key === EXCEPTION_MESSAGE_KEY) logs.exception[row] = 1;
  }

  /** Words of the body; a body that stands there again replaces the one before. */
  private body(reader: WireReader, end: number, row: number): void {
    const { logs, scanner } = this;
    logs.wordCount = row === 0 ? 0 : logs.wordEnd[row - 1];
    this.recordNumber++;
    const from = reader.pos;
    const text = plainText(reader, end);
    if (text && scanner.start(reader.bytes, reader.pos, end)) {
      for (let word = scanner.next(logs.words); word >= 0; word = scanner.next(logs.words)) this.word(word);
    } else {
      for (const word of wordsOf(String(valueAt(reader, from, end)))) this.word(logs.words.idOf(word));
    }
    reader.pos = end;
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

/** Is the AnyValue up to `end` one string and nothing else? Then the cursor stands at its first byte. */
function plainText(reader: WireReader, end: number): boolean {
  if (reader.pos === end || reader.tag(end) !== ANY_VALUE.string) return false;
  return reader.end(end) === end;
}

const decoder = new LogDecoder();
