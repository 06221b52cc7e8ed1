import { AsyncLocalStorage } from 'node:async_hooks';
import type { OpenSpan, SpanFields, SpanKind, Tracer } from '../../src/tracing/tracer.js';

export interface KeptSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: string | undefined;
  fields: SpanFields;
  /** Undefined while it is open. */
  failed?: boolean;
}

/** Keeps what it is told, in the order of the beginnings. */
export class KeptSpans implements Tracer {
  readonly spans: KeptSpan[] = [];
  private readonly current = new AsyncLocalStorage<string>();

  start(name: string, kind: SpanKind, fields: SpanFields = {}): OpenSpan {
    const span: KeptSpan = { name, kind, parent: this.current.getStore(), fields };
    this.spans.push(span);
    return {
      around: (work) => this.current.run(name, work),
      end: (more, failed) => Object.assign(span, { fields: { ...span.fields, ...more }, failed }),
    };
  }

  done(name: string, _tookMs: number, fields: SpanFields): void {
    this.spans.push({ name, kind: 'internal', parent: undefined, fields, failed: false });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get names(): string[] {
    return this.spans.map(({ name }) => name);
  }
}
