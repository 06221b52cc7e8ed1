import { JsonReader, MalformedJson } from '../otlp/json/json-reader.js';
import type { LabelPairs, LokiEntry, LokiStream } from './loki-push.js';

const WHOLE_NUMBER = /^-?[0-9]{1,19}$/;

/**
 * Reads `{"streams":[{"stream":{…},"values":[["<ns>","<line>",{…}]]}]}` one entry after the other, so that only one of them is
 * in memory. Unknown members are skipped. Throws MalformedJson that names the field, such as `streams[0].values[3][0]`.
 */
export function* readLokiJson(json: Uint8Array): Generator<LokiStream> {
  const reader = new JsonReader(json);
  if (!reader.atObject) throw new MalformedJson('expected an object');
  reader.beginObject();
  for (let first = true; reader.nextMember(first); first = false) {
    if (reader.stringText() === 'streams') yield* readStreams(reader);
    else reader.skip();
  }
  reader.expectEnd();
}

function* readStreams(reader: JsonReader): Generator<LokiStream> {
  beginArray(reader, 'streams');
  for (let index = 0; reader.nextItem(index === 0); index++) yield* readStream(reader, `streams[${index}]`);
}

/** The labels may stand behind the values, so the reader goes back to these once it has seen the whole stream. */
function* readStream(reader: JsonReader, path: string): Generator<LokiStream> {
  if (!reader.atObject) throw new MalformedJson(`${path}: expected an object`);
  let labels: LabelPairs = [];
  let valuesAt: number | undefined;
  reader.beginObject();
  for (let first = true; reader.nextMember(first); first = false) {
    const name = reader.stringText();
    if (name === 'stream') labels = readPairs(reader, `${path}.stream`);
    else {
      if (name === 'values') valuesAt = reader.pos;
      reader.skip();
    }
  }
  if (valuesAt === undefined) return;
  const end = reader.pos;
  reader.pos = valuesAt;
  yield { labels, entries: readValues(reader, `${path}.values`) };
  reader.pos = end;
}

function* readValues(reader: JsonReader, path: string): Generator<LokiEntry> {
  beginArray(reader, path);
  for (let index = 0; reader.nextItem(index === 0); index++) yield readEntry(reader, `${path}[${index}]`);
}

function readEntry(reader: JsonReader, path: string): LokiEntry {
  beginArray(reader, path);
  const timestamp = reader.nextItem(true) ? readText(reader, `${path}[0]`) : '';
  if (!WHOLE_NUMBER.test(timestamp))
    throw new MalformedJson(`${path}[0]: expected a string with nanoseconds since 1970`);
  if (!reader.nextItem(false)) throw new MalformedJson(`${path}[1]: expected a string`);
  const line = readText(reader, `${path}[1]`);
  if (!reader.nextItem(false)) return { timestampNs: BigInt(timestamp), line, metadata: [] };
  const metadata = readPairs(reader, `${path}[2]`);
  if (reader.nextItem(false)) throw new MalformedJson(`${path}: expected at most three items`);
  return { timestampNs: BigInt(timestamp), line, metadata };
}

function readPairs(reader: JsonReader, path: string): LabelPairs {
  if (!reader.atObject) throw new MalformedJson(`${path}: expected an object`);
  const pairs: (readonly [string, string])[] = [];
  reader.beginObject();
  for (let first = true; reader.nextMember(first); first = false) {
    const name = reader.stringText();
    pairs.push([name, readText(reader, `${path}.${name}`)]);
  }
  return pairs;
}

function beginArray(reader: JsonReader, path: string): void {
  if (!reader.atArray) throw new MalformedJson(`${path}: expected an array`);
  reader.beginArray();
}

function readText(reader: JsonReader, path: string): string {
  if (!reader.atString) throw new MalformedJson(`${path}: expected a string`);
  reader.readString();
  return reader.stringText();
}
