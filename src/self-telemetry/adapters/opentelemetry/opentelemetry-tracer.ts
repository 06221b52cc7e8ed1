import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  SpanKind as Kinds,
  ROOT_CONTEXT,
  type Tracer as SdkTracer,
  type Span,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { AlwaysOnSampler, BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../../logger.js';
import type { MetricSnapshot } from '../../prometheus-metrics.js';
import type { ActiveSpan, SpanAttributes, SpanKind, Tracer } from '../../tracer.js';
import { createMetricProducer } from './metric-producer.js';

export interface OpenTelemetryOptions {
  /** Base URL of OTLP over HTTP. */
  readonly endpoint: string;
  readonly apiKey: string;
  readonly version: string;
  /** Distinguishes this process from others of the service. */
  readonly instanceId: string;
  readonly log: Pick<Logger, 'warn'>;
  readonly metrics: () => Promise<readonly MetricSnapshot[]>;
  /** Maximum delay of a span batch, and export interval of metrics (ms). */
  readonly spanDelayMs?: number;
  readonly metricIntervalMs?: number;
}

const EXPORT_TIMEOUT_MS = 10_000;

/** Queued spans; further ones are dropped. */
const MAX_QUEUE = 2_048;

/** Time (ms) to export the last spans at shutdown. */
const SHUTDOWN_TIMEOUT_MS = 2_000;

/** Exports spans and metrics with the OpenTelemetry SDK, without its globals and environment variables. */
export function createOpenTelemetryTracer(options: OpenTelemetryOptions): Tracer {
  const { endpoint, apiKey, version, instanceId, log } = options;
  const resource = resourceFromAttributes({
    'service.name': 'hindsight',
    'service.version': version,
    'service.instance.id': instanceId,
  });
  const exporterOptions = (signal: string) => ({
    url: `${endpoint}/v1/${signal}`,
    headers: { 'api-key': apiKey },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const failures = new ExportFailureLog(log);
  const processor = new BatchSpanProcessor(
    reportExportFailures(new OTLPTraceExporter(exporterOptions('traces')), failures),
    {
      maxQueueSize: MAX_QUEUE,
      maxExportBatchSize: 512,
      scheduledDelayMillis: options.spanDelayMs ?? 5_000,
      exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    },
  );
  const spans = new NodeTracerProvider({ resource, sampler: new AlwaysOnSampler(), spanProcessors: [processor] });
  const meters = createMeterProvider(
    resource,
    reportExportFailures(new OTLPMetricExporter(exporterOptions('metrics')), failures),
    options,
  );
  return new OpenTelemetryTracer(spans.getTracer('hindsight', version), () =>
    Promise.all([spans.shutdown(), meters.shutdown()]),
  );
}

function createMeterProvider(
  resource: Resource,
  exporter: OTLPMetricExporter,
  { metrics, metricIntervalMs = 60_000 }: OpenTelemetryOptions,
): MeterProvider {
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: metricIntervalMs,
    exportTimeoutMillis: Math.min(EXPORT_TIMEOUT_MS, metricIntervalMs),
    metricProducers: [createMetricProducer(metrics, resource)],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

class OpenTelemetryTracer implements Tracer {
  /** Current context; the SDK's own context manager would be global. */
  private readonly current = new AsyncLocalStorage<Context>();
  private closed: Promise<void> | undefined;

  constructor(
    private readonly tracer: SdkTracer,
    private readonly shutDown: () => Promise<unknown>,
  ) {}

  start(name: string, kind: SpanKind, fields: SpanAttributes = {}): ActiveSpan {
    const parent = this.context();
    const span = this.tracer.startSpan(
      name,
      { kind: kind === 'server' ? Kinds.SERVER : Kinds.INTERNAL, attributes: fields },
      parent,
    );
    return {
      runWithin: (work) => this.current.run(trace.setSpan(parent, span), work),
      end: (more, failed) => endSpan(span, more, failed),
    };
  }

  recordCompleted(name: string, tookMs: number, fields: SpanAttributes): void {
    endSpan(
      this.tracer.startSpan(
        name,
        { kind: Kinds.INTERNAL, attributes: fields, startTime: Date.now() - tookMs },
        ROOT_CONTEXT,
      ),
      {},
      false,
    );
  }

  close(): Promise<void> {
    this.closed ??= this.flushAndShutDown();
    return this.closed;
  }

  private context(): Context {
    return this.current.getStore() ?? ROOT_CONTEXT;
  }

  /** Spans that cannot be exported within the timeout are dropped. */
  private async flushAndShutDown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, SHUTDOWN_TIMEOUT_MS)));
    await Promise.race([this.shutDown().catch(() => undefined), timeout]);
    clearTimeout(timer);
  }
}

function endSpan(span: Span, fields: SpanAttributes, failed: boolean): void {
  span.setAttributes(fields);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

const REPORT_INTERVAL_MS = 60_000;

/** Logs export failures at most once a minute, because they are not critical. */
export class ExportFailureLog {
  private lastAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  report(error: unknown): void {
    if (this.now() - this.lastAt < REPORT_INTERVAL_MS) return;
    this.lastAt = this.now();
    // Errors of exporters may contain request headers with the API key, so only the message is logged.
    this.log.warn("Failed to export Hindsight's own telemetry", {
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}

interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Batch> {
  export(batch: Batch, done: (result: ExportResult) => void): void;
}

/** Wraps an exporter to report its failures. */
export function reportExportFailures<Batch, E extends Exporter<Batch>>(
  exporter: E & Exporter<Batch>,
  failures: ExportFailureLog,
): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.code !== 0) failures.report(result.error ?? 'no reason given');
      done(result);
    });
  return exporter;
}
