import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import type { AccessControl } from '../../auth/access-control.js';
import type { ApiKeyUsageListener } from '../../auth/api-key-usage-listener.js';
import type { Component, Health } from '../../component.js';
import type { ClosedConnectionLog } from '../connection/closed-connection-log.js';
import { ClientResolver } from '../connection/client-resolver.js';
import { CredentialGuard } from '../limits/credential-guard.js';
import { PipeliningLimiter } from '../limits/pipelining-limiter.js';
import type { ReloadingCertificate } from '../connection/reloading-certificate.js';
import type { EventStore } from '../../streams/event-store.js';
import { RequestDeduplicator } from './request-deduplicator.js';
import type { BackpressureMonitor } from './ingest-backlog.js';
import { DualProtocolListener } from './dual-protocol-listener.js';
import type { ExportValidator } from './export-validator-pool.js';
import type { HttpExchange } from './http-exchange.js';
import { type ErrorLog, ThrottledErrorLog } from '../limits/log-throttle.js';
import { isGrpcRequest, serveGrpc } from './grpc-handler.js';
import { type OtlpHandlerOptions, serveOtlpHttp } from './otlp-http-handler.js';
import { Http1Exchange } from './http1-transport.js';
import { Http2Exchange, setRequestDeadline } from './http2-transport.js';
import type { AbortLimits } from '../limits/abort-limiter.js';
import { DEFAULT_OTLP_LIMITS, type OtlpLimits } from './otlp-limits.js';
import { MemoryBudget } from './memory-budget.js';
import type { IngestMeters } from './export-outcome.js';
import { type IngestMemory, OtlpReceiver } from './otlp-receiver.js';

export interface OtlpPorts {
  readonly http: number;
  readonly grpc: number;
}

export interface OtlpServerOptions {
  readonly store: EventStore;
  readonly access: AccessControl;
  /** Owned by the caller, who closes it after the server. */
  readonly validator: ExportValidator;
  readonly backlog: BackpressureMonitor;
  readonly meters: IngestMeters;
  readonly log: ErrorLog;
  /** Records connections that were closed because of a limit. Default: not recorded. */
  readonly closures?: Pick<ClosedConnectionLog, 'record' | 'recordDelay'>;
  /** Records the usage of API keys. Default: not recorded. */
  readonly keyUses?: Pick<ApiKeyUsageListener, 'recordIngestion' | 'recordRefusal'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since any moment, not affected by changes of the clock. Default: those of the process. */
  readonly monotonic?: () => number;
  /** The times that may be the current one, for the bounds of telemetry times. Default: `now` alone. */
  readonly possibleNow?: () => { readonly earliest: number; readonly latest: number };
  readonly bindAddress: string;
  /** 0 selects any free port. */
  readonly ports: OtlpPorts;
  /** Origins whose pages may send telemetry (CORS). Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** Limits failed authentication attempts; shared with the API. Default: no limit. */
  readonly guard?: CredentialGuard;
  /** Knows the trusted proxies. Default: none. */
  readonly clients?: ClientResolver;
  /** Absent: no TLS. */
  readonly certificate?: ReloadingCertificate;
  readonly limits?: Partial<OtlpLimits>;
  /** Limits for what clients begin over HTTP/1.1 or TLS and do not finish. Default: `HTTP1_ABORT_LIMITS`. */
  readonly http1AbortLimits?: AbortLimits;
}

/** Receives OTLP over gRPC and HTTP; both ports accept both protocols. */
export interface OtlpServer extends Component {
  /** Resolves when both ports accept connections. */
  listen(): Promise<{ readonly ports: OtlpPorts }>;
  /**
   * Stops accepting connections, rejects new requests on open ones with 503 / UNAVAILABLE, waits for those in flight
   * for at most `deadlineMs`, then closes all connections. Idempotent.
   */
  stop(deadlineMs: number): Promise<void>;
}

const NO_KEY_USES: Pick<ApiKeyUsageListener, 'recordIngestion' | 'recordRefusal'> = {
  recordIngestion: () => undefined,
  recordRefusal: () => undefined,
};

const NO_RECORD: Pick<ClosedConnectionLog, 'record' | 'recordDelay'> = {
  record: () => undefined,
  recordDelay: () => undefined,
};

/** Creates the server; call `listen` to start it. */
export function createOtlpServer(options: OtlpServerOptions): OtlpServer {
  const limits = { ...DEFAULT_OTLP_LIMITS, ...options.limits };
  const failures = new ThrottledErrorLog(options.log, options.now);
  return new DualProtocolServer(options, limits, failures, createReceiver(options, limits, failures));
}

function createReceiver(options: OtlpServerOptions, limits: OtlpLimits, failures: ThrottledErrorLog): OtlpReceiver {
  return new OtlpReceiver({
    store: options.store,
    access: options.access,
    guard: options.guard ?? new CredentialGuard({ failuresPerMinute: 0 }),
    validator: options.validator,
    backpressure: options.backlog,
    memory: divideMemory(limits),
    deduplicator: new RequestDeduplicator(),
    meters: options.meters,
    failures,
    keyUses: options.keyUses ?? NO_KEY_USES,
    now: options.now,
    monotonic: options.monotonic ?? (() => performance.now()),
    possibleNow: options.possibleNow ?? (() => ({ earliest: options.now(), latest: options.now() })),
    pause,
    maxInflatedBytes: limits.requestBytes,
    maxResponseMs: limits.maxResponseMs,
  });
}

function divideMemory({ memoryBytes, memoryWaiters: maxWaiting, memoryWaitMs: maxWaitMs }: OtlpLimits): IngestMemory {
  const createHalf = (): MemoryBudget => new MemoryBudget(Math.floor(memoryBytes / 2), { maxWaiting, maxWaitMs });
  return { bodies: createHalf(), validation: createHalf() };
}

class DualProtocolServer implements OtlpServer {
  private readonly listener: DualProtocolListener;
  private readonly handler: OtlpHandlerOptions;
  private readonly inFlight = new InFlightCounter();
  private readonly pipelines = new PipeliningLimiter();
  private stopping = false;

  constructor(
    private readonly options: OtlpServerOptions,
    private readonly limits: OtlpLimits,
    private readonly failures: ThrottledErrorLog,
    private readonly receiver: OtlpReceiver,
  ) {
    const body = { maxBytes: limits.requestBytes, idleMs: limits.bodyIdleMs };
    const { certificate, clients = new ClientResolver() } = options;
    this.handler = { receiver, body, clients, allowedOrigins: new Set(options.allowedOrigins) };
    this.listener = new DualProtocolListener({
      limits,
      onRequest: this.onRequest,
      onStream: this.onStream,
      clients,
      certificate,
      closures: options.closures ?? NO_RECORD,
      http1AbortLimits: options.http1AbortLimits,
    });
  }

  async listen(): Promise<{ readonly ports: OtlpPorts }> {
    const { bindAddress, ports } = this.options;
    const http = await this.listener.listen(bindAddress, ports.http);
    const grpc = await this.listener.listen(bindAddress, ports.grpc);
    return { ports: { http, grpc } };
  }

  async stop(deadlineMs: number): Promise<void> {
    this.stopping = true;
    this.receiver.stopAccepting();
    this.listener.stopAccepting();
    const timer = new AbortController();
    const deadline = pause(deadlineMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([this.inFlight.waitUntilIdle(), deadline]);
    timer.abort();
    await this.listener.close();
  }

  check(): Promise<Health> {
    if (this.stopping) return Promise.resolve({ ok: false, reason: 'shutting down' });
    return Promise.resolve(this.listener.isListening ? { ok: true } : { ok: false, reason: 'not listening' });
  }

  close(): Promise<void> {
    return this.stop(0);
  }

  private readonly onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (!this.pipelines.admit(request, response, () => this.inFlight.end())) return;
    this.inFlight.begin();
    // An aborted request also emits `close`. Without an error listener it would terminate the process.
    request.on('error', ignoreError);
    response.on('error', ignoreError);
    this.serve(new Http1Exchange(request, response, this.limits.lingerMs, () => this.stopping));
  };

  private readonly onStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    this.inFlight.begin();
    stream.once('close', () => this.inFlight.end());
    setRequestDeadline(stream, this.limits.requestMs);
    if (!isGrpcRequest(headers)) return this.serve(new Http2Exchange(stream, headers));
    serveGrpc(stream, headers, this.handler).catch((error: unknown) => {
      this.failures.logError(error, 'Failed to answer a gRPC call');
      stream.destroy();
    });
  };

  private serve(exchange: HttpExchange): void {
    serveOtlpHttp(exchange, this.handler).catch((error: unknown) => {
      this.failures.logError(error, 'Failed to answer an HTTP request');
      exchange.abort();
    });
  }
}

function ignoreError(): void {}

/** Counts requests whose response has not been sent yet. */
export class InFlightCounter {
  private running = 0;
  private readonly idleListeners: (() => void)[] = [];

  get count(): number {
    return this.running;
  }

  begin(): void {
    this.running++;
  }

  end(): void {
    this.running--;
    if (this.running === 0) for (const resolve of this.idleListeners.splice(0)) resolve();
  }

  /** Resolves as soon as no request is running. */
  waitUntilIdle(): Promise<void> {
    return this.running === 0 ? Promise.resolve() : new Promise((resolve) => this.idleListeners.push(resolve));
  }
}
