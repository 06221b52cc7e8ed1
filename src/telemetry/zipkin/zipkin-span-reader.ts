import { JsonReader, MalformedJson } from '../otlp/json/json-reader.js';

/** A span of Zipkin's model (https://zipkin.io/zipkin-api/zipkin2-api.yaml, definition Span). Absent text is empty. */
export interface ZipkinSpan {
  traceId: string;
  id: string;
  parentId: string;
  /** CLIENT, SERVER, PRODUCER, CONSUMER, or empty for a local operation. */
  kind: string;
  name: string;
  /** µs since 1970; undefined if the reporter did not know it. */
  timestamp: bigint | undefined;
  /** µs. */
  duration: bigint;
  /** The server's half of a span whose client reports the same id. */
  shared: boolean;
  debug: boolean;
  localEndpoint: ZipkinEndpoint;
  remoteEndpoint: ZipkinEndpoint;
  annotations: readonly { readonly timestamp: bigint; readonly value: string }[];
  tags: readonly (readonly [key: string, value: string])[];
}

export interface ZipkinEndpoint {
  readonly serviceName: string;
  /** IPv4 or IPv6 address. */
  readonly address: string;
  /** 0: unknown. */
  readonly port: bigint;
}

const NO_ENDPOINT: ZipkinEndpoint = { serviceName: '', address: '', port: 0n };
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,15})$/;

/**
 * Reads the spans of a body one after the other, so that only one of them is in memory. Unknown members are skipped, `null`
 * means absent. Throws MalformedJson that names the field, such as `[2].localEndpoint.port`.
 */
export function* readZipkinSpans(json: Uint8Array): Generator<ZipkinSpan> {
  const reader = new JsonReader(json);
  if (!reader.atArray) throw new MalformedJson('expected an array of spans');
  reader.beginArray();
  for (let index = 0; reader.nextItem(index === 0); index++) yield readSpan(reader, `[${index}]`);
  reader.expectEnd();
}

function readSpan(reader: JsonReader, path: string): ZipkinSpan {
  const span: ZipkinSpan = {
    traceId: '',
    id: '',
    parentId: '',
    kind: '',
    name: '',
    timestamp: undefined,
    duration: 0n,
    shared: false,
    debug: false,
    localEndpoint: NO_ENDPOINT,
    remoteEndpoint: NO_ENDPOINT,
    annotations: [],
    tags: [],
  };
  for (const name of readMembers(reader, path)) readSpanMember(reader, span, name, `${path}.${name}`);
  return span;
}

function readSpanMember(reader: JsonReader, span: ZipkinSpan, name: string, path: string): void {
  switch (name) {
    case 'traceId':
    case 'id':
    case 'parentId':
    case 'kind':
    case 'name':
      span[name] = readText(reader, path);
      return;
    case 'timestamp':
    case 'duration':
      span[name] = readWholeNumber(reader, path);
      return;
    case 'shared':
    case 'debug':
      span[name] = readBoolean(reader, path);
      return;
    case 'localEndpoint':
    case 'remoteEndpoint':
      span[name] = readEndpoint(reader, path);
      return;
    case 'annotations':
      span.annotations = readAnnotations(reader, path);
      return;
    case 'tags':
      span.tags = [...readTags(reader, path)];
      return;
    default:
      reader.skip();
  }
}

function readEndpoint(reader: JsonReader, path: string): ZipkinEndpoint {
  const endpoint = { serviceName: '', ipv4: '', ipv6: '', port: 0n };
  for (const name of readMembers(reader, path)) {
    if (name === 'serviceName' || name === 'ipv4' || name === 'ipv6')
      endpoint[name] = readText(reader, `${path}.${name}`);
    else if (name === 'port') endpoint.port = readWholeNumber(reader, `${path}.${name}`);
    else reader.skip();
  }
  const { serviceName, ipv4, ipv6, port } = endpoint;
  return { serviceName, address: ipv4 === '' ? ipv6 : ipv4, port };
}

function readAnnotations(reader: JsonReader, path: string): ZipkinSpan['annotations'] {
  if (!reader.atArray) throw new MalformedJson(`${path}: expected an array`);
  const annotations: { timestamp: bigint; value: string }[] = [];
  reader.beginArray();
  for (let index = 0; reader.nextItem(index === 0); index++) {
    const annotation = { timestamp: 0n, value: '' };
    const at = `${path}[${index}]`;
    for (const name of readMembers(reader, at)) {
      if (name === 'timestamp') annotation.timestamp = readWholeNumber(reader, `${at}.timestamp`);
      else if (name === 'value') annotation.value = readText(reader, `${at}.value`);
      else reader.skip();
    }
    annotations.push(annotation);
  }
  return annotations;
}

/** Values are strings; numbers and booleans, which some reporters send, are taken as they are written. */
function* readTags(reader: JsonReader, path: string): Generator<readonly [key: string, value: string]> {
  for (const key of readMembers(reader, path)) {
    if (reader.atString) yield [key, readText(reader, path)];
    else if (reader.atObject || reader.atArray) throw new MalformedJson(`${path}.${key}: expected a string`);
    else if (isNumberNext(reader)) yield [key, reader.readNumber()];
    else yield [key, reader.readLiteral()];
  }
}

/** Moves through the members of an object that are not null, and yields their names. */
function* readMembers(reader: JsonReader, path: string): Generator<string> {
  if (!reader.atObject) throw new MalformedJson(`${path}: expected an object`);
  reader.beginObject();
  for (let first = true; reader.nextMember(first); first = false) {
    const name = reader.stringText();
    if (!reader.skipNull()) yield name;
  }
}

function readText(reader: JsonReader, path: string): string {
  if (!reader.atString) throw new MalformedJson(`${path}: expected a string`);
  reader.readString();
  return reader.stringText();
}

function readBoolean(reader: JsonReader, path: string): boolean {
  const isLiteral = !reader.atString && !reader.atObject && !reader.atArray && !isNumberNext(reader);
  const literal = isLiteral ? reader.readLiteral() : undefined;
  if (literal !== 'true' && literal !== 'false') throw new MalformedJson(`${path}: expected true or false`);
  return literal === 'true';
}

function readWholeNumber(reader: JsonReader, path: string): bigint {
  const text = isNumberNext(reader) ? reader.readNumber() : '';
  if (!WHOLE_NUMBER.test(text)) throw new MalformedJson(`${path}: expected a whole number of at most 16 digits`);
  return BigInt(text);
}

function isNumberNext(reader: JsonReader): boolean {
  const byte = reader.peek();
  return byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
}
