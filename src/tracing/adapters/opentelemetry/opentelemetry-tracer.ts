import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind as Kinds, SpanStatusCode, trace, type Context, type Span, type Tracer as SdkTracer } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { AlwaysOnSampler, BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../../../log.js';
import type { MetricSnapshot } from '../../../metrics/metrics.js';
import type { OpenSpan, SpanFields, SpanKind, Tracer } from '../../tracer.js';
import { metricProducer } from './metric-producer.js';
import { ReportedFailures, reporting } from './reported-failures.js';

export interface OpenTelemetryOptions {
  /** Base of OTLP over HTTP. */
  readonly endpoint: string;
  readonly apiKey: string;
  readonly version: string;
  /** Tells this process from others like it. */
  readonly instanceId: string;
  readonly log: Pick<Logger, 'warn'>;
  readonly metrics: () => Promise<readonly MetricSnapshot[]>;
  /** How long spans wait for company, and how often metrics leave, in ms. */
  readonly spanDelayMs?: number;
  readonly metricIntervalMs?: number;
}

const EXPORT_TIMEOUT_MS = 10_000;
/** Spans that wait to be sent; more are dropped. */
const MAX_QUEUE = 2_048;
/** The last spans may be sent for so long when the service stops. */
const LAST_WORDS_MS = 2_000;

/** Sends spans and metrics by the SDK of OpenTelemetry, whose globals and environment variables are left alone. */
export function createOpenTelemetryTracer(options: OpenTelemetryOptions): Tracer {
  const { endpoint, apiKey, version, instanceId, log } = options;
  const resource = resourceFromAttributes({ 'service.name': 'hindsight', 'service.version': version, 'service.instance.id': instanceId });
  const to = (signal: string) => ({ url: `${endpoint}/v1/${signal}`, headers: { 'api-key': apiKey }, timeoutMillis: EXPORT_TIMEOUT_MS });
  const failures = new ReportedFailures(log);
  const processor = new BatchSpanProcessor(reporting(new OTLPTraceExporter(to('traces')), failures), {
    maxQueueSize: MAX_QUEUE,
    maxExportBatchSize: 512,
    scheduledDelayMillis: options.spanDelayMs ?? 5_000,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const spans = new NodeTracerProvider({ resource, sampler: new AlwaysOnSampler(), spanProcessors: [processor] });
  const meters = metersOf(resource, reporting(new OTLPMetricExporter(to('metrics')), failures), options);
  return new OpenTelemetryTracer(spans.getTracer('hindsight', version), () => Promise.all([spans.shutdown(), meters.shutdown()]));
}

function metersOf(resource: Resource, exporter: OTLPMetricExporter, { metrics, metricIntervalMs = 60_000 }: OpenTelemetryOptions): MeterProvider {
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: metricIntervalMs,
    exportTimeoutMillis: Math.min(EXPORT_TIMEOUT_MS, metricIntervalMs),
    metricProducers: [metricProducer(metrics, resource)],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

class OpenTelemetryTracer implements Tracer {
  /** The context that work under way belongs to; the SDK's own way of keeping it would be global. */
  private readonly current = new AsyncLocalStorage<Context>();
  private closed: Promise<void> | undefined;

  constructor(
    private readonly tracer: SdkTracer,
    private readonly shutDown: () => Promise<unknown>,
  ) {}

  start(name: string, kind: SpanKind, fields: SpanFields = {}): OpenSpan {
    const parent = this.context();
    const span = this.tracer.startSpan(name, { kind: kind === 'server' ? Kinds.SERVER : Kinds.INTERNAL, attributes: fields }, parent);
    return {
      around: (work) => this.current.run(trace.setSpan(parent, span), work),
      end: (more, failed) => finish(span, more, failed),
    };
  }

  done(name: string, tookMs: number, fields: SpanFields): void {
    finish(this.tracer.startSpan(name, { kind: Kinds.INTERNAL, attributes: fields, startTime: Date.now() - tookMs }, ROOT_CONTEXT), {}, false);
  }

  close(): Promise<void> {
    this.closed ??= this.lastWords();
    return this.closed;
  }

  private context(): Context {
    return this.current.getStore() ?? ROOT_CONTEXT;
  }

  /** What cannot be sent now is lost: nobody waits for it. */
  private async lastWords(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_WORDS_MS)));
    await Promise.race([this.shutDown().catch(() => undefined), patience]);
    clearTimeout(timer);
  }
}

function finish(span: Span, fields: SpanFields, failed: boolean): void {
  span.setAttributes(fields);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
