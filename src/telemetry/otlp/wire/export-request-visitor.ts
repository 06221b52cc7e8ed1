import { REQUEST, RESOURCE_ITEMS, SCOPE_ITEMS } from './otlp-field-tags.js';
import { WireReader } from './wire-reader.js';

/**
 * Visits the outer levels of an export request, which are the same for all signals: resources contain scopes, scopes
 * contain records (spans, log records, metrics). A resource or a scope may follow the items it describes. Each hook is
 * called with the cursor at the first byte of its message and MUST leave it at `end`.
 */
export abstract class ExportRequestVisitor {
  protected readonly reader = new WireReader();

  protected abstract beginResourceItems(): void;
  protected abstract visitResource(end: number): void;
  protected abstract beginScopeItems(): void;
  protected abstract visitScope(end: number): void;
  protected abstract visitRecord(end: number): void;
  protected abstract endScopeItems(): void;
  protected abstract endResourceItems(): void;

  /** Throws MalformedBody if the body does not parse. */
  protected visitRequest(body: Uint8Array): void {
    const { reader } = this;
    reader.reset(body);
    while (reader.pos < body.length) {
      const tag = reader.readTag(body.length);
      if (tag === REQUEST.resourceItems) this.visitResourceItems(reader.readPayloadEnd(body.length));
      else reader.skip(tag, body.length);
    }
  }

  private visitResourceItems(end: number): void {
    const { reader } = this;
    this.beginResourceItems();
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === RESOURCE_ITEMS.scopeItems) this.visitScopeItems(reader.readPayloadEnd(end));
      else if (tag === RESOURCE_ITEMS.resource) this.visitResource(reader.readPayloadEnd(end));
      else reader.skip(tag, end);
    }
    this.endResourceItems();
  }

  private visitScopeItems(end: number): void {
    const { reader } = this;
    this.beginScopeItems();
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === SCOPE_ITEMS.record) this.visitRecord(reader.readPayloadEnd(end));
      else if (tag === SCOPE_ITEMS.scope) this.visitScope(reader.readPayloadEnd(end));
      else reader.skip(tag, end);
    }
    this.endScopeItems();
  }
}
