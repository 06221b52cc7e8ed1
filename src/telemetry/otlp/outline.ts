import type { Attributes } from '../attributes.js';
import { noAttributes, readAttribute } from './any-value.js';
import { REQUEST, RESOURCE, RESOURCE_ITEMS, SCOPE_ITEMS } from './fields.js';
import { UNKNOWN_SERVICE } from './request-decoder.js';
import { WireReader } from './wire-reader.js';

export interface Resource {
  readonly serviceName: string;
  readonly attributes: Attributes;
}

export interface RecordRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Resource of the record at `offset` of an inflated traces or logs request. Looks at the outermost level only; an
 * offset that no resource encloses has an empty one.
 */
export function resourceAt(body: Uint8Array, offset: number): Resource {
  const reader = new WireReader(body);
  for (let end = nextItem(reader, REQUEST.resourceItems, body.length); end >= 0; end = nextItem(reader, REQUEST.resourceItems, body.length)) {
    if (offset < end) return readResource(reader, offset >= reader.pos ? end : reader.pos);
    reader.pos = end;
  }
  return readResource(reader, reader.pos);
}

/** Where the span or log record with this ordinal (rejected ones counted) stands; undefined past the last. */
export function recordAt(body: Uint8Array, ordinal: number): RecordRange | undefined {
  const reader = new WireReader(body);
  let left = ordinal;
  for (let items = nextItem(reader, REQUEST.resourceItems, body.length); items >= 0; items = nextItem(reader, REQUEST.resourceItems, body.length)) {
    for (let scope = nextItem(reader, RESOURCE_ITEMS.scopeItems, items); scope >= 0; scope = nextItem(reader, RESOURCE_ITEMS.scopeItems, items)) {
      for (let record = nextItem(reader, SCOPE_ITEMS.record, scope); record >= 0; record = nextItem(reader, SCOPE_ITEMS.record, scope)) {
        if (left-- === 0) return { offset: reader.pos, length: record - reader.pos };
        reader.pos = record;
      }
    }
  }
  return undefined;
}

/** Goes to the next message with this tag: answers its end with the cursor at its first byte, −1 when there is none. */
function nextItem(reader: WireReader, wanted: number, limit: number): number {
  while (reader.pos < limit) {
    const tag = reader.tag(limit);
    if (tag === wanted) return reader.end(limit);
    reader.skip(tag, limit);
  }
  return -1;
}

function readResource(reader: WireReader, limit: number): Resource {
  const attributes = noAttributes();
  const end = nextItem(reader, RESOURCE_ITEMS.resource, limit);
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === RESOURCE.attribute) readAttribute(reader, reader.end(end), attributes);
    else reader.skip(tag, end);
  }
  return { serviceName: String(attributes['service.name'] ?? '') || UNKNOWN_SERVICE, attributes };
}
