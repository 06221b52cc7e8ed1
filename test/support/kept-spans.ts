import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActiveSpan, SpanAttributes, SpanKind, Tracer } from '../../src/self-telemetry/tracer.js';

export interface KeptSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: string | undefined;
  fields: SpanAttributes;
  /** Undefined while it is open. */
  failed?: boolean;
}

/** Keeps what it is told, in the order of the beginnings. */
export class KeptSpans implements Tracer {
  readonly spans: KeptSpan[] = [];
  private readonly current = new AsyncLocalStorage<string>();

  start(name: string, kind: SpanKind, fields: SpanAttributes = {}): ActiveSpan {
    const span: KeptSpan = { name, kind, parent: this.current.getStore(), fields };
    this.spans.push(span);
    return {
      runWithin: (work) => this.current.run(name, work),
      end: (more, failed) => Object.assign(span, { fields: { ...span.fields, ...more }, failed }),
    };
  }

  recordCompleted(name: string, _tookMs: number, fields: SpanAttributes): void {
    this.spans.push({ name, kind: 'internal', parent: undefined, fields, failed: false });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get names(): string[] {
    return this.spans.map(({ name }) => name);
  }
}
