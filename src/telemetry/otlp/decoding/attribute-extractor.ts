import type { AttributeValue } from '../../attributes.js';
import { createAttributes, readAttribute } from '../wire/any-value.js';
import { KEY_VALUE } from '../wire/otlp-field-tags.js';
import { WireReader } from '../wire/wire-reader.js';

/**
 * Reads the attribute with one key of many records, without decoding the others: a tenth of the time of a whole record.
 * `attributeTag`: field of the record's message that holds its attributes.
 */
export class AttributeExtractor {
  private readonly key: Uint8Array;
  private reader = new WireReader(new Uint8Array(0));

  constructor(
    private readonly name: string,
    private readonly attributeTag: number,
  ) {
    this.key = Buffer.from(name);
  }

  /** The first value of the record at [offset, offset + length) of a body; undefined if it has no such attribute. */
  read(body: Uint8Array, offset: number, length: number): AttributeValue | undefined {
    if (this.reader.bytes !== body) this.reader = new WireReader(body);
    const { reader, attributeTag } = this;
    const end = offset + length;
    reader.pos = offset;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag !== attributeTag) {
        reader.skip(tag, end);
        continue;
      }
      const attributeEnd = reader.readPayloadEnd(end);
      const value = this.mayMatch(attributeEnd) ? this.readIfMatching(attributeEnd) : undefined;
      if (value !== undefined) return value;
      reader.pos = attributeEnd;
    }
    return undefined;
  }

  /** False if the attribute starts with another key; leaves the cursor where it was. */
  private mayMatch(end: number): boolean {
    const { reader, key } = this;
    const start = reader.pos;
    if (start === end || reader.readTag(end) !== KEY_VALUE.key) {
      reader.pos = start;
      return true;
    }
    const keyEnd = reader.readPayloadEnd(end);
    const from = reader.pos;
    reader.pos = start;
    if (keyEnd - from !== key.length) return false;
    for (let i = 0; i < key.length; i++) if (reader.bytes[from + i] !== key[i]) return false;
    return true;
  }

  private readIfMatching(end: number): AttributeValue | undefined {
    const attributes = createAttributes();
    readAttribute(this.reader, end, attributes);
    return attributes[this.name];
  }
}
