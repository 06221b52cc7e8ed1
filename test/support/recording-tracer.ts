import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActiveSpan, SpanAttributes, SpanKind, Tracer } from '../../src/self-telemetry/tracer.js';

export interface RecordedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: string | undefined;
  fields: SpanAttributes;
  /** Undefined until the span ends. */
  failed?: boolean;
}

/** A tracer that records spans in the order of their starts. */
export class RecordingTracer implements Tracer {
  readonly spans: RecordedSpan[] = [];
  private readonly current = new AsyncLocalStorage<string>();

  start(name: string, kind: SpanKind, fields: SpanAttributes = {}): ActiveSpan {
    const span: RecordedSpan = { name, kind, parent: this.current.getStore(), fields };
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
