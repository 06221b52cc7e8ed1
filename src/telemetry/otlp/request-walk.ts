import { REQUEST, RESOURCE_ITEMS, SCOPE_ITEMS } from './fields.js';
import { WireReader } from './wire-reader.js';

/**
 * Walks the outer levels of an export request, which are the same for all signals: resources, in them scopes, in them
 * records (spans, log records, metrics). A resource or a scope may stand behind what it describes.
 * Each hook finds the cursor at the first byte of its message and MUST leave it at `end`.
 */
export abstract class RequestWalk {
  protected readonly reader = new WireReader();

  protected abstract beginResourceItems(): void;
  protected abstract resource(end: number): void;
  protected abstract beginScopeItems(): void;
  protected abstract scope(end: number): void;
  protected abstract record(end: number): void;
  protected abstract endScopeItems(): void;
  protected abstract endResourceItems(): void;

  protected walk(body: Uint8Array): void {
    const { reader } = this;
    reader.reset(body);
    while (reader.pos < body.length) {
      const tag = reader.tag(body.length);
      if (tag === REQUEST.resourceItems) this.resourceItems(reader.end(body.length));
      else reader.skip(tag, body.length);
    }
  }

  private resourceItems(end: number): void {
    const { reader } = this;
    this.beginResourceItems();
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === RESOURCE_ITEMS.scopeItems) this.scopeItems(reader.end(end));
      else if (tag === RESOURCE_ITEMS.resource) this.resource(reader.end(end));
      else reader.skip(tag, end);
    }
    this.endResourceItems();
  }

  private scopeItems(end: number): void {
    const { reader } = this;
    this.beginScopeItems();
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === SCOPE_ITEMS.record) this.record(reader.end(end));
      else if (tag === SCOPE_ITEMS.scope) this.scope(reader.end(end));
      else reader.skip(tag, end);
    }
    this.endScopeItems();
  }
}
