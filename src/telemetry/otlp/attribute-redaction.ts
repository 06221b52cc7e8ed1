import type { Signal } from '../signals.js';
import { ANY_VALUE, KEY_VALUE, LOG_RECORD, POINT, SPAN } from './wire/otlp-field-tags.js';
import { EXPORT_REQUEST_SCHEMAS, type MessageSchema } from './json/otlp-message-schemas.js';
import { WireReader } from './wire/wire-reader.js';
import { WireWriter } from './wire/wire-writer.js';

/** Replaces the value of a redacted attribute. */
export const REDACTED_VALUE = '[stripped]';

/** Time range of a request's records, and the request without the values of secret attributes. */
export interface RedactedRequest {
  /** Undefined if nothing had to be redacted. */
  readonly body: Uint8Array | undefined;
  /** Earliest and latest time of a record, ms since 1970; undefined if no record has a time. */
  readonly firstMs: number | undefined;
  readonly lastMs: number | undefined;
}

/** How to process the fields of a message, by tag. */
interface RedactionPlan {
  readonly nested: ReadonlyMap<number, RedactionPlan>;
  readonly times: ReadonlySet<number>;
  readonly isKeyValue: boolean;
}

const TIME_TAGS: Readonly<Record<string, readonly number[]>> = {
  Span: [SPAN.start, SPAN.end],
  LogRecord: [LOG_RECORD.time, LOG_RECORD.observedTime],
};
const NONE: readonly number[] = [];
const plansByMessage = new Map<MessageSchema, RedactionPlan>();

/**
 * Scans a decompressed export request and redacts the values of secret attributes at any level: of resources, scopes,
 * records, events, links, data points, exemplars, and in maps within values. Texts are not searched. Throws
 * `MalformedBody` if the body is not protobuf.
 */
export function redactAttributes(
  signal: Signal,
  body: Uint8Array,
  isSecret: (key: string) => boolean,
): RedactedRequest {
  const plan = getPlan(EXPORT_REQUEST_SCHEMAS[signal]);
  const scanner = new RequestScanner(body, isSecret);
  scanner.scan(plan, body.length);
  const hasTimes = scanner.firstMs <= scanner.lastMs;
  return {
    body: scanner.secretCount > 0 ? new RequestRedactor(body, isSecret).redact(plan) : undefined,
    firstMs: hasTimes ? scanner.firstMs : undefined,
    lastMs: hasTimes ? scanner.lastMs : undefined,
  };
}

function getPlan(message: MessageSchema): RedactionPlan {
  const known = plansByMessage.get(message);
  if (known !== undefined) return known;
  const nested = new Map<number, RedactionPlan>();
  const times = message.name.endsWith('DataPoint') ? [POINT.time] : (TIME_TAGS[message.name] ?? NONE);
  const plan: RedactionPlan = { nested, times: new Set(times), isKeyValue: message.name === 'KeyValue' };
  plansByMessage.set(message, plan); // before its fields: message types are recursive
  for (const { tag, type } of message.fields.values()) if (typeof type !== 'string') nested.set(tag, getPlan(type));
  return plan;
}

/** Collects the time range and counts secrets without writing anything: most requests contain no secret. */
class RequestScanner {
  firstMs = Infinity;
  lastMs = -Infinity;
  secretCount = 0;
  private readonly reader: WireReader;

  constructor(
    body: Uint8Array,
    private readonly isSecret: (key: string) => boolean,
  ) {
    this.reader = new WireReader(body);
  }

  scan(plan: RedactionPlan, limit: number): void {
    const { reader } = this;
    while (reader.pos < limit) {
      const tag = reader.readTag(limit);
      const nested = plan.nested.get(tag);
      if (nested !== undefined) this.scan(nested, reader.readPayloadEnd(limit));
      else if (plan.isKeyValue && tag === KEY_VALUE.key) this.scanKey(reader.readPayloadEnd(limit));
      else this.scanValue(plan, tag, limit);
    }
  }

  private scanKey(end: number): void {
    const { reader } = this;
    if (this.isSecret(reader.decodeText(reader.pos, end))) this.secretCount++;
    reader.pos = end;
  }

  private scanValue(plan: RedactionPlan, tag: number, limit: number): void {
    const { reader } = this;
    const from = reader.pos;
    reader.skip(tag, limit);
    if (!plan.times.has(tag)) return;
    const ms = Number(reader.view.getBigUint64(from, true) / 1_000_000n);
    if (ms === 0) return;
    this.firstMs = Math.min(this.firstMs, ms);
    this.lastMs = Math.max(this.lastMs, ms);
  }
}

/** Rewrites the request without the secrets; fields unknown to the schema are copied. */
class RequestRedactor {
  private readonly reader: WireReader;
  private readonly writer = new WireWriter();

  constructor(
    private readonly body: Uint8Array,
    private readonly isSecret: (key: string) => boolean,
  ) {
    this.reader = new WireReader(body);
  }

  redact(plan: RedactionPlan): Uint8Array {
    this.redactMessage(plan, this.body.length);
    return this.writer.finish();
  }

  private redactMessage(plan: RedactionPlan, limit: number): void {
    const { reader, writer } = this;
    if (plan.isKeyValue && this.isSecret(this.readKeyWithin(limit))) return this.writeRedacted(limit);
    while (reader.pos < limit) {
      const from = reader.pos;
      const tag = reader.readTag(limit);
      const nested = plan.nested.get(tag);
      if (nested === undefined) {
        reader.skip(tag, limit);
        writer.writeRaw(this.body, from, reader.pos);
      } else {
        const mark = writer.beginField(tag);
        this.redactMessage(nested, reader.readPayloadEnd(limit));
        writer.endField(mark);
      }
    }
  }

  /** The key applies even if it follows its value; the cursor does not move. */
  private readKeyWithin(limit: number): string {
    const { reader } = this;
    const start = reader.pos;
    let key = '';
    while (reader.pos < limit) {
      const tag = reader.readTag(limit);
      const from = reader.pos;
      reader.skip(tag, limit);
      if (tag === KEY_VALUE.key) key = this.readTextAt(from, limit, reader.pos);
    }
    reader.pos = start;
    return key;
  }

  /** Text of the length-delimited value from `from` to `end`; moves the cursor to `end`. */
  private readTextAt(from: number, limit: number, end: number): string {
    const { reader } = this;
    reader.pos = from;
    reader.readPayloadEnd(limit);
    const text = reader.decodeText(reader.pos, end);
    reader.pos = end;
    return text;
  }

  private writeRedacted(limit: number): void {
    const { reader, writer } = this;
    writer.writeTextField(KEY_VALUE.key, this.readKeyWithin(limit));
    const mark = writer.beginField(KEY_VALUE.value);
    writer.writeTextField(ANY_VALUE.string, REDACTED_VALUE);
    writer.endField(mark);
    reader.pos = limit;
  }
}
