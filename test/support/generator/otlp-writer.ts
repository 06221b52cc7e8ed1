import { ANY_VALUE, KEY_VALUE, REQUEST, RESOURCE, RESOURCE_ITEMS, SCOPE, SCOPE_ITEMS } from '../../../src/telemetry/otlp/fields.js';
import { WireWriter } from '../../../src/telemetry/otlp/wire-writer.js';

export type Value = string | number | boolean;

/** The messages that all signals share, on top of the wire writer. */
export class OtlpWriter extends WireWriter {
  time(tag: number, nanos: bigint): void {
    this.varint(tag);
    this.fixed64(Number(nanos >> 32n), Number(nanos & 0xffff_ffffn));
  }

  number(tag: number, value: number): void {
    this.varint(tag);
    this.double(value);
  }

  attribute(tag: number, key: string, value: Value): void {
    const pair = this.begin(tag);
    this.text(KEY_VALUE.key, key);
    const any = this.begin(KEY_VALUE.value);
    this.value(value);
    this.end(any);
    this.end(pair);
  }

  /** Members of an AnyValue. */
  value(value: Value): void {
    if (typeof value === 'string') this.text(ANY_VALUE.string, value);
    else if (typeof value === 'boolean') this.integer(ANY_VALUE.bool, value ? 1 : 0);
    else if (Number.isInteger(value)) this.integer(ANY_VALUE.int, value);
    else this.number(ANY_VALUE.double, value);
  }

  attributes(tag: number, values: Readonly<Record<string, Value>>): void {
    for (const key in values) this.attribute(tag, key, values[key]);
  }

  /** One resource with one scope; `records` writes what stands in the scope. */
  resourceItems(resource: Readonly<Record<string, Value>>, records: () => void): void {
    const items = this.begin(REQUEST.resourceItems);
    const message = this.begin(RESOURCE_ITEMS.resource);
    this.attributes(RESOURCE.attribute, resource);
    this.end(message);
    const scopes = this.begin(RESOURCE_ITEMS.scopeItems);
    const scope = this.begin(SCOPE_ITEMS.scope);
    this.text(SCOPE.name, 'io.opentelemetry.http');
    this.text(SCOPE.version, '2.6.0');
    this.end(scope);
    records();
    this.end(scopes);
    this.end(items);
  }
}
