import { readMessages } from '../otlp/wire/wire-messages.js';
import { MalformedBody, WireReader } from '../otlp/wire/wire-reader.js';
import type { LabelPairs, LokiEntry, LokiStream } from './loki-push.js';

/** Tags of the messages in Loki's pkg/push/push.proto: field number × 8 + 2, the wire type of messages and text. */
const PUSH_REQUEST = { stream: 0x0a } as const;
const STREAM = { labels: 0x0a, entry: 0x12 } as const;
const ENTRY = { timestamp: 0x0a, line: 0x12, metadata: 0x1a } as const;
const LABEL_PAIR = { name: 0x0a, value: 0x12 } as const;
/** google.protobuf.Timestamp, as varints. */
const TIMESTAMP = { seconds: 0x08, nanos: 0x10 } as const;

const NS_PER_S = 1_000_000_000n;
/** A label and what separates it from the next one, in the form that Prometheus prints. */
const LABEL = /\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*("(?:[^"\\\n]|\\.)*")\s*(,|$)/y;

/** Reads the protobuf message PushRequest one entry after the other. Throws MalformedBody. */
export function* readLokiProtobuf(body: Uint8Array): Generator<LokiStream> {
  const reader = new WireReader(body);
  for (const end of readMessages(reader, PUSH_REQUEST.stream, body.length)) yield readStream(reader, end);
}

/** The labels may follow the entries, so the stream is read twice. */
function readStream(reader: WireReader, end: number): LokiStream {
  const start = reader.pos;
  let labels: LabelPairs = [];
  for (const labelsEnd of readMessages(reader, STREAM.labels, end)) labels = parseLabels(takeText(reader, labelsEnd));
  reader.pos = start;
  return { labels, entries: readEntries(reader, end) };
}

function* readEntries(reader: WireReader, end: number): Generator<LokiEntry> {
  for (const entryEnd of readMessages(reader, STREAM.entry, end)) yield readEntry(reader, entryEnd);
}

function readEntry(reader: WireReader, end: number): LokiEntry {
  let [timestampNs, line] = [0n, ''];
  const metadata: (readonly [string, string])[] = [];
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === ENTRY.timestamp) timestampNs = readTimestamp(reader, reader.readPayloadEnd(end));
    else if (tag === ENTRY.line) line = takeText(reader, reader.readPayloadEnd(end));
    else if (tag === ENTRY.metadata) metadata.push(readPair(reader, reader.readPayloadEnd(end)));
    else reader.skip(tag, end);
  }
  return { timestampNs, line, metadata };
}

function readTimestamp(reader: WireReader, end: number): bigint {
  let [seconds, nanos] = [0n, 0n];
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag !== TIMESTAMP.seconds && tag !== TIMESTAMP.nanos) reader.skip(tag, end);
    else {
      reader.readVarint64(end);
      const value = BigInt.asIntN(64, (BigInt(reader.hi) << 32n) | BigInt(reader.lo));
      if (tag === TIMESTAMP.seconds) seconds = value;
      else nanos = value;
    }
  }
  return seconds * NS_PER_S + nanos;
}

function readPair(reader: WireReader, end: number): readonly [name: string, value: string] {
  let [name, value] = ['', ''];
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === LABEL_PAIR.name) name = takeText(reader, reader.readPayloadEnd(end));
    else if (tag === LABEL_PAIR.value) value = takeText(reader, reader.readPayloadEnd(end));
    else reader.skip(tag, end);
  }
  return [name, value];
}

function takeText(reader: WireReader, end: number): string {
  const text = reader.decodeText(reader.pos, end);
  reader.pos = end;
  return text;
}

/** Parses labels as Prometheus prints them: `{app="shop", env="prod"}`. */
function parseLabels(text: string): LabelPairs {
  const pairs: (readonly [string, string])[] = [];
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1];
  if (inner === undefined) throw new MalformedBody(`labels that are not in braces: ${text.slice(0, 100)}`);
  LABEL.lastIndex = 0;
  for (let at = 0; inner.slice(at).trim() !== ''; at = LABEL.lastIndex) {
    LABEL.lastIndex = at;
    const found = LABEL.exec(inner);
    if (found === null) throw new MalformedBody(`labels that cannot be parsed: ${text.slice(0, 100)}`);
    pairs.push([found[1], unquote(found[2])]);
  }
  return pairs;
}

/** The text of a quoted string as Go's %q writes it; escapes that JSON does not know stay as they are. */
function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted.replaceAll(/\\x([0-9a-fA-F]{2})/g, '\\u00$1')) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
