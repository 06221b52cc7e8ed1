import {
  ROOT_CONTEXT,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { sleepUntil } from './simulation-clock.js';
import type { ServiceInstance } from './service-instance.js';
import type { RandomSource } from './random-source.js';

/** A request that a service could not answer. `type` is absent where the fault lies in another service, which has told of it. */
export class RequestFailure extends Error {
  override readonly name: string;

  constructor(
    message: string,
    readonly type?: string,
  ) {
    super(message);
    this.name = type ?? 'Failure';
  }
}

const SEVERITIES = { INFO: SeverityNumber.INFO, WARN: SeverityNumber.WARN, ERROR: SeverityNumber.ERROR } as const;

/** What one instance does for one request: its span, and the moment that it has reached in logical time (ms since 1970). */
export class RequestTask {
  private constructor(
    readonly instance: ServiceInstance,
    readonly random: RandomSource,
    private readonly context: Context,
    readonly span: Span,
    public at: number,
  ) {}

  /** Begins a span. `parent` is the context of the caller, in this process of another service. */
  static start(
    instance: ServiceInstance,
    random: RandomSource,
    {
      name,
      kind,
      attributes,
      at,
      parent = ROOT_CONTEXT,
    }: { name: string; kind: SpanKind; attributes: Attributes; at: number; parent?: Context },
  ): RequestTask {
    const span = instance.telemetry.tracer.startSpan(name, { kind, attributes, startTime: at }, parent);
    return new RequestTask(instance, random, trace.setSpan(parent, span), span, at);
  }

  /** What travels with a message or a call: the trace and the span, as a `traceparent` header tells them. */
  get carried(): Context {
    return trace.setSpanContext(ROOT_CONTEXT, { ...this.span.spanContext(), isRemote: true });
  }

  /** A span below this one in the same instance, which begins now. */
  startChild(name: string, kind: SpanKind, attributes: Attributes): RequestTask {
    return RequestTask.start(this.instance, this.random, { name, kind, attributes, at: this.at, parent: this.context });
  }

  /** Time passes: `meanMs` on average. */
  async simulateWork(meanMs: number): Promise<void> {
    this.at += this.random.latency(meanMs);
    await sleepUntil(this.at);
  }

  log(severity: keyof typeof SEVERITIES, body: string, attributes: Attributes = {}): void {
    this.instance.telemetry.logger.emit({
      severityNumber: SEVERITIES[severity],
      severityText: severity,
      body,
      attributes: attributes,
      context: this.context,
      timestamp: this.at,
    });
  }

  /** Ends the span. A fault of its own is recorded as an exception; one of another service is a status alone. */
  end(failure?: RequestFailure): void {
    if (failure !== undefined) {
      if (failure.type !== undefined)
        this.span.recordException(
          { name: failure.type, message: failure.message, stack: failure.stack ?? '' },
          this.at,
        );
      this.span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
    }
    this.span.end(this.at);
  }
}
