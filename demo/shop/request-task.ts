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

/** A failed request. `type` is absent when another service caused and reported the failure. */
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

/** The work of one instance for one request: its span, and its current time (ms since 1970) in the simulation. */
export class RequestTask {
  private constructor(
    readonly instance: ServiceInstance,
    readonly random: RandomSource,
    private readonly context: Context,
    readonly span: Span,
    public at: number,
  ) {}

  /** Starts a span. `parent` is the context of the caller. */
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

  /** Remote context for calls and messages, as a `traceparent` header would carry it. */
  get remoteContext(): Context {
    return trace.setSpanContext(ROOT_CONTEXT, { ...this.span.spanContext(), isRemote: true });
  }

  /** Starts a child span in the same instance, now. */
  startChild(name: string, kind: SpanKind, attributes: Attributes): RequestTask {
    return RequestTask.start(this.instance, this.random, { name, kind, attributes, at: this.at, parent: this.context });
  }

  /** Lets time pass: `meanMs` on average. */
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

  /** Ends the span. A failure of this service is recorded as an exception; one of another service only as a status. */
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
