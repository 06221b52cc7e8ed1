import type { Signal } from '../signals.js';
import { ANY_VALUE, KEY_VALUE, LOG_RECORD, POINT, SPAN } from './fields.js';
import { REQUESTS, type Message } from './json-schema.js';
import { WireReader } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

/** What stands in the place of a value that was taken out. */
export const STRIPPED = '[stripped]';

/** What a request's records span, and the request without the values of some attributes. */
export interface Scrubbed {
  /** Undefined where nothing had to be taken out. */
  readonly body: Uint8Array | undefined;
  /** Earliest and latest time of a record, ms since 1970; undefined where no record has a time. */
  readonly firstMs: number | undefined;
  readonly lastMs: number | undefined;
}

/** What to do with the fields of a message, by their tags. */
interface Plan {
  readonly nested: ReadonlyMap<number, Plan>;
  readonly times: ReadonlySet<number>;
  readonly isKeyValue: boolean;
}

const TIMES: Readonly<Record<string, readonly number[]>> = { Span: [SPAN.start, SPAN.end], LogRecord: [LOG_RECORD.time, LOG_RECORD.observedTime] };
const NONE: readonly number[] = [];
const plans = new Map<Message, Plan>();

/**
 * Reads an inflated export request and takes out the values of attributes, wherever they stand: of resources, scopes, records, events, links,
 * points, exemplars, and in maps within values. Texts are not searched. Throws `MalformedBody` for what is no request.
 */
export function scrub(signal: Signal, body: Uint8Array, isSecret: (key: string) => boolean): Scrubbed {
  const plan = planOf(REQUESTS[signal]);
  const look = new Look(body, isSecret);
  look.over(plan, body.length);
  const isSpanned = look.first <= look.last;
  return {
    body: look.secrets > 0 ? new Cut(body, isSecret).of(plan) : undefined,
    firstMs: isSpanned ? look.first : undefined,
    lastMs: isSpanned ? look.last : undefined,
  };
}

function planOf(message: Message): Plan {
  const known = plans.get(message);
  if (known !== undefined) return known;
  const nested = new Map<number, Plan>();
  const times = message.name.endsWith('DataPoint') ? [POINT.time] : (TIMES[message.name] ?? NONE);
  const plan: Plan = { nested, times: new Set(times), isKeyValue: message.name === 'KeyValue' };
  plans.set(message, plan); // before its fields: values contain values
  for (const { tag, type } of message.fields.values()) if (typeof type !== 'string') nested.set(tag, planOf(type));
  return plan;
}

/** Finds times and secrets without writing anything: most requests have no secret. */
class Look {
  first = Infinity;
  last = -Infinity;
  secrets = 0;
  private readonly reader: WireReader;

  constructor(body: Uint8Array, private readonly isSecret: (key: string) => boolean) {
    this.reader = new WireReader(body);
  }

  over(plan: Plan, limit: number): void {
    const { reader } = this;
    while (reader.pos < limit) {
      const tag = reader.tag(limit);
      const nested = plan.nested.get(tag);
      if (nested !== undefined) this.over(nested, reader.end(limit));
      else if (plan.isKeyValue && tag === KEY_VALUE.key) this.key(reader.end(limit));
      else this.value(plan, tag, limit);
    }
  }

  private key(end: number): void {
    const { reader } = this;
    if (this.isSecret(reader.text(reader.pos, end))) this.secrets++;
    reader.pos = end;
  }

  private value(plan: Plan, tag: number, limit: number): void {
    const { reader } = this;
    const from = reader.pos;
    reader.skip(tag, limit);
    if (!plan.times.has(tag)) return;
    const ms = Number(reader.view.getBigUint64(from, true) / 1_000_000n);
    if (ms === 0) return;
    this.first = Math.min(this.first, ms);
    this.last = Math.max(this.last, ms);
  }
}

/** Writes the request anew without the secrets; what the schema does not know is copied. */
class Cut {
  private readonly reader: WireReader;
  private readonly writer = new WireWriter();

  constructor(private readonly body: Uint8Array, private readonly isSecret: (key: string) => boolean) {
    this.reader = new WireReader(body);
  }

  of(plan: Plan): Uint8Array {
    this.message(plan, this.body.length);
    return this.writer.finish();
  }

  private message(plan: Plan, limit: number): void {
    const { reader, writer } = this;
    if (plan.isKeyValue && this.isSecret(this.keyWithin(limit))) return this.stripped(limit);
    while (reader.pos < limit) {
      const from = reader.pos;
      const tag = reader.tag(limit);
      const nested = plan.nested.get(tag);
      if (nested === undefined) {
        reader.skip(tag, limit);
        writer.raw(this.body, from, reader.pos);
      } else {
        const mark = writer.begin(tag);
        this.message(nested, reader.end(limit));
        writer.end(mark);
      }
    }
  }

  /** The key counts wherever it stands, also after its value; the cursor stays. */
  private keyWithin(limit: number): string {
    const { reader } = this;
    const start = reader.pos;
    let key = '';
    while (reader.pos < limit) {
      const tag = reader.tag(limit);
      const from = reader.pos;
      reader.skip(tag, limit);
      if (tag === KEY_VALUE.key) key = this.textOf(from, limit, reader.pos);
    }
    reader.pos = start;
    return key;
  }

  /** Text of the length-delimited value that begins at `from` and ends at `end`. */
  private textOf(from: number, limit: number, end: number): string {
    const { reader } = this;
    reader.pos = from;
    reader.end(limit);
    const text = reader.text(reader.pos, end);
    reader.pos = end;
    return text;
  }

  private stripped(limit: number): void {
    const { reader, writer } = this;
    writer.text(KEY_VALUE.key, this.keyWithin(limit));
    const mark = writer.begin(KEY_VALUE.value);
    writer.text(ANY_VALUE.string, STRIPPED);
    writer.end(mark);
    reader.pos = limit;
  }
}
