import type { Attributes } from '../../attributes.js';
import { createAttributes, readAttribute } from '../wire/any-value.js';
import { REQUEST, RESOURCE, RESOURCE_ITEMS, SCOPE_ITEMS } from '../wire/otlp-field-tags.js';
import { WireReader } from '../wire/wire-reader.js';
import { UNKNOWN_SERVICE } from './request-decoder.js';

interface Resource {
  readonly serviceName: string;
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
  for (
    let end = seekField(reader, REQUEST.resourceItems, body.length);
    end >= 0;
    end = seekField(reader, REQUEST.resourceItems, body.length)
  ) {
    if (offset < end) return readResource(reader, offset >= reader.pos ? end : reader.pos);
    reader.pos = end;
  }
  return readResource(reader, reader.pos);
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
