import {
  ANY_VALUE,
  KEY_VALUE,
  REQUEST,
  RESOURCE,
  RESOURCE_ITEMS,
  SCOPE,
  SCOPE_ITEMS,
} from '../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import { WireWriter } from '../../../src/telemetry/otlp/wire/wire-writer.js';

export type Value = string | number | boolean;

/** Writer for the messages shared by all signals. */
export class OtlpWriter extends WireWriter {
  time(tag: number, nanos: bigint): void {
    this.writeVarint(tag);
    this.writeFixed64(Number(nanos >> 32n), Number(nanos & 0xffff_ffffn));
  }

  number(tag: number, value: number): void {
    this.writeVarint(tag);
    this.writeDouble(value);
  }

  attribute(tag: number, key: string, value: Value): void {
    const pair = this.beginField(tag);
    this.writeTextField(KEY_VALUE.key, key);
    const any = this.beginField(KEY_VALUE.value);
    this.value(value);
    this.endField(any);
    this.endField(pair);
  }

  /** Members of an AnyValue. */
  value(value: Value): void {
    if (typeof value === 'string') this.writeTextField(ANY_VALUE.string, value);
    else if (typeof value === 'boolean') this.writeIntegerField(ANY_VALUE.bool, value ? 1 : 0);
    else if (Number.isInteger(value)) this.writeIntegerField(ANY_VALUE.int, value);
    else this.number(ANY_VALUE.double, value);
  }

  attributes(tag: number, values: Readonly<Record<string, Value>>): void {
    for (const key in values) this.attribute(tag, key, values[key]);
  }

  /** One resource with one scope; `records` writes the content of the scope. */
  resourceItems(resource: Readonly<Record<string, Value>>, records: () => void): void {
    const items = this.beginField(REQUEST.resourceItems);
    const message = this.beginField(RESOURCE_ITEMS.resource);
    this.attributes(RESOURCE.attribute, resource);
    this.endField(message);
    const scopes = this.beginField(RESOURCE_ITEMS.scopeItems);
    const scope = this.beginField(SCOPE_ITEMS.scope);
    this.writeTextField(SCOPE.name, 'io.opentelemetry.http');
    this.writeTextField(SCOPE.version, '2.6.0');
    this.endField(scope);
    records();
    this.endField(scopes);
    this.endField(items);
  }
}
