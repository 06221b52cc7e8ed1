import type { Attributes } from '../../attributes.js';
import { createAttributes, readAttribute } from '../wire/any-value.js';
import { REQUEST, RESOURCE, RESOURCE_ITEMS, SCOPE, SCOPE_ITEMS } from '../wire/otlp-field-tags.js';
import { readText } from '../wire/wire-values.js';
import { WireReader } from '../wire/wire-reader.js';
import { UNKNOWN_SERVICE } from './request-decoder.js';

interface Resource {
  readonly serviceName: string;
  readonly attributes: Attributes;
}

/** Instrumentation scope; name and version are "" if absent. */
export interface Scope {
  readonly name: string;
  readonly version: string;
  readonly attributes: Attributes;
}

interface RecordByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Resource of the record at `offset` of a decompressed traces or logs request. Scans only the outermost level; an
 * offset outside every resource has an empty one.
 */
export function readResourceAt(body: Uint8Array, offset: number): Resource {
  const reader = new WireReader(body);
  const end = seekContaining(reader, REQUEST.resourceItems, body.length, offset);
  return readResource(reader, end < 0 ? reader.pos : end);
}

/** Instrumentation scope of the record at `offset` of a decompressed traces or logs request; an empty one outside all. */
export function readScopeAt(body: Uint8Array, offset: number): Scope {
  const reader = new WireReader(body);
  const resource = seekContaining(reader, REQUEST.resourceItems, body.length, offset);
  const items = resource < 0 ? -1 : seekContaining(reader, RESOURCE_ITEMS.scopeItems, resource, offset);
  return readScope(reader, items < 0 ? reader.pos : items);
}

/** Moves to the message with this tag that contains `offset`: returns its end, or −1 if there is none. */
function seekContaining(reader: WireReader, tag: number, limit: number, offset: number): number {
  for (let end = seekField(reader, tag, limit); end >= 0; end = seekField(reader, tag, limit)) {
    if (offset < end) return offset >= reader.pos ? end : -1;
    reader.pos = end;
  }
  return -1;
}

/** Range of the span or log record with this ordinal (including rejected ones); undefined past the last. */
export function findRecordAt(body: Uint8Array, ordinal: number): RecordByteRange | undefined {
  const reader = new WireReader(body);
  let left = ordinal;
  for (
    let items = seekField(reader, REQUEST.resourceItems, body.length);
    items >= 0;
    items = seekField(reader, REQUEST.resourceItems, body.length)
  ) {
    for (
      let scope = seekField(reader, RESOURCE_ITEMS.scopeItems, items);
      scope >= 0;
      scope = seekField(reader, RESOURCE_ITEMS.scopeItems, items)
    ) {
      for (
        let record = seekField(reader, SCOPE_ITEMS.record, scope);
        record >= 0;
        record = seekField(reader, SCOPE_ITEMS.record, scope)
      ) {
        if (left-- === 0) return { offset: reader.pos, length: record - reader.pos };
        reader.pos = record;
      }
    }
  }
  return undefined;
}

/** Moves to the next message with this tag: returns its end with the cursor at its first byte, −1 if there is none. */
function seekField(reader: WireReader, wanted: number, limit: number): number {
  while (reader.pos < limit) {
    const tag = reader.readTag(limit);
    if (tag === wanted) return reader.readPayloadEnd(limit);
    reader.skip(tag, limit);
  }
  return -1;
}

function readResource(reader: WireReader, limit: number): Resource {
  const attributes = createAttributes();
  const end = seekField(reader, RESOURCE_ITEMS.resource, limit);
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === RESOURCE.attribute) readAttribute(reader, reader.readPayloadEnd(end), attributes);
    else reader.skip(tag, end);
  }
  return { serviceName: String(attributes['service.name'] ?? '') || UNKNOWN_SERVICE, attributes };
}

function readScope(reader: WireReader, limit: number): Scope {
  const scope = { name: '', version: '', attributes: createAttributes() };
  const end = seekField(reader, SCOPE_ITEMS.scope, limit);
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === SCOPE.name) scope.name = readText(reader, end);
    else if (tag === SCOPE.version) scope.version = readText(reader, end);
    else if (tag === SCOPE.attribute) readAttribute(reader, reader.readPayloadEnd(end), scope.attributes);
    else reader.skip(tag, end);
  }
  return scope;
}
