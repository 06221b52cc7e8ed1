import { ROOT_CONTEXT, type SpanKind, SpanStatusCode, trace, type Attributes, type Context, type Span } from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { until } from './clock.js';
import type { Instance } from './instance.js';
import type { Random } from './random.js';

/** A request that a service could not answer. `type` is absent where the fault lies in another service, which has told of it. */
export class Failure extends Error {
  override readonly name: string;

  constructor(message: string, readonly type?: string) {
    super(message);
    this.name = type ?? 'Failure';
  }
}

const SEVERITIES = { INFO: SeverityNumber.INFO, WARN: SeverityNumber.WARN, ERROR: SeverityNumber.ERROR } as const;

/** What one instance does for one request: its span, and the moment that it has reached in logical time (ms since 1970). */
export class Task {
  private constructor(
    readonly instance: Instance,
    readonly random: Random,
    private readonly context: Context,
    readonly span: Span,
    public at: number,
  ) {}

  /** Begins a span. `parent` is the context of the caller, in this process of another service. */
  static begin(instance: Instance, random: Random, { name, kind, attributes, at, parent = ROOT_CONTEXT }: { name: string; kind: SpanKind; attributes: Attributes; at: number; parent?: Context }): Task {
    const span = instance.telemetry.tracer.startSpan(name, { kind, attributes, startTime: at }, parent);
    return new Task(instance, random, trace.setSpan(parent, span), span, at);
  }

  /** What travels with a message or a call: the trace and the span, as a `traceparent` header tells them. */
  get carried(): Context {
    return trace.setSpanContext(ROOT_CONTEXT, { ...this.span.spanContext(), isRemote: true });
  }

  /** A span below this one in the same instance, which begins now. */
  child(name: string, kind: SpanKind, attributes: Attributes): Task {
    return Task.begin(this.instance, this.random, { name, kind, attributes, at: this.at, parent: this.context });
  }

  /** Time passes: `meanMs` on average. */
  async spend(meanMs: number): Promise<void> {
    this.at += this.random.latency(meanMs);
    await until(this.at);
  }

  log(severity: keyof typeof SEVERITIES, body: string, attributes: Attributes = {}): void {
    this.instance.telemetry.logger.emit({
      severityNumber: SEVERITIES[severity], severityText: severity, body, attributes: attributes, context: this.context, timestamp: this.at,
    });
  }

  /** Ends the span. A fault of its own is recorded as an exception; one of another service is a status alone. */
  end(failure?: Failure): void {
    if (failure !== undefined) {
      if (failure.type !== undefined) this.span.recordException({ name: failure.type, message: failure.message, stack: failure.stack ?? '' }, this.at);
      this.span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
    }
    this.span.end(this.at);
  }
}
