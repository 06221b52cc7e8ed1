import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import type { Access } from '../../auth/access.js';
import type { KeyUses } from '../../auth/key-uses.js';
import type { Component, Health } from '../../component.js';
import { Clients } from '../clients.js';
import { CredentialGuard } from '../credential-guard.js';
import { Pipelines } from '../pipelines.js';
import type { ServedCertificate } from '../tls/served-certificate.js';
import type { EventStore } from '../../streams/event-store.js';
import { AcknowledgedRequests } from './acknowledged-requests.js';
import type { LoadGauge } from './backlog.js';
import { DualListener } from './dual-listener.js';
import type { Examiner } from './examiner-pool.js';
import type { Exchange } from './exchange.js';
import { FailureLog, type IngestLog } from './failure-log.js';
import { isGrpc, serveGrpc } from './grpc-handler.js';
import { serveHttp, type HttpHandlerOptions } from './http-handler.js';
import { Http1Exchange } from './http1-exchange.js';
import { Http2Exchange } from './http2-exchange.js';
import { InFlight } from './in-flight.js';
import { DEFAULT_LIMITS, type OtlpLimits } from './limits.js';
import { MemoryBudget } from './memory-budget.js';
import type { IngestMeters } from './meters.js';
import { Receiver } from './receiver.js';
import { limitRequestTime } from './stream-deadline.js';

export interface OtlpPorts {
  readonly http: number;
  readonly grpc: number;
}

export interface OtlpServerOptions {
  readonly store: EventStore;
  readonly access: Access;
  /** Stays the caller's, who closes it after the server. */
  readonly examiner: Examiner;
  readonly backlog: LoadGauge;
  readonly meters: IngestMeters;
  readonly log: IngestLog;
  /** Nobody hears of them unless given. */
  readonly keyUses?: Pick<KeyUses, 'sent' | 'refused'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly bindAddress: string;
  /** 0: any free port. */
  readonly ports: OtlpPorts;
  /** Origins whose pages may send telemetry; default none. */
  readonly allowedOrigins?: readonly string[];
  /** Who is not believed for a while; shared with the API. Absent: all are looked at. */
  readonly guard?: CredentialGuard;
  /** Which proxies are trusted; default none. */
  readonly clients?: Clients;
  /** Absent: the ports speak without TLS. */
  readonly certificate?: ServedCertificate;
  readonly limits?: Partial<OtlpLimits>;
}

/** OTLP over gRPC and HTTP; either port takes either protocol. */
export interface OtlpServer extends Component {
  /** Resolves when both ports accept connections. */
  listen(): Promise<{ readonly ports: OtlpPorts }>;
  /**
   * Stops accepting, answers new requests on open connections with 503 / UNAVAILABLE, lets those in flight finish
   * for at most `deadlineMs`, then closes every connection. Legal twice.
   */
  stop(deadlineMs: number): Promise<void>;
}

const UNHEARD: Pick<KeyUses, 'sent' | 'refused'> = { sent: () => undefined, refused: () => undefined };

export function createOtlpServer(options: OtlpServerOptions): OtlpServer {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const failures = new FailureLog(options.log, options.now);
  return new DualProtocolServer(options, limits, failures, receiverOf(options, limits, failures));
}

function receiverOf(options: OtlpServerOptions, limits: OtlpLimits, failures: FailureLog): Receiver {
  return new Receiver({
    store: options.store,
    access: options.access,
    guard: options.guard ?? new CredentialGuard({ failuresPerMinute: 0 }),
    examiner: options.examiner,
    load: options.backlog,
    budget: new MemoryBudget(limits.memoryBytes, { maxWaiting: limits.memoryWaiters, maxWaitMs: limits.memoryWaitMs }),
    acknowledged: new AcknowledgedRequests(),
    meters: options.meters,
    failures,
    keyUses: options.keyUses ?? UNHEARD,
    now: options.now,
    pause,
    maxInflatedBytes: limits.requestBytes,
  });
}

class DualProtocolServer implements OtlpServer {
  private readonly listener: DualListener;
  private readonly handler: HttpHandlerOptions;
  private readonly inFlight = new InFlight();
  private readonly pipelines = new Pipelines();
  private stopping = false;

  constructor(
    private readonly options: OtlpServerOptions,
    private readonly limits: OtlpLimits,
    private readonly failures: FailureLog,
    private readonly receiver: Receiver,
  ) {
    const body = { maxBytes: limits.requestBytes, idleMs: limits.bodyIdleMs };
    const { certificate, clients = new Clients() } = options;
    this.handler = { receiver, body, clients, allowedOrigins: new Set(options.allowedOrigins) };
    this.listener = new DualListener(limits, this.onRequest, this.onStream, { certificate, isProxy: (address) => clients.isProxy(address) });
  }

  async listen(): Promise<{ readonly ports: OtlpPorts }> {
    const { bindAddress, ports } = this.options;
    const http = await this.listener.listen(bindAddress, ports.http);
    const grpc = await this.listener.listen(bindAddress, ports.grpc);
    return { ports: { http, grpc } };
  }

  async stop(deadlineMs: number): Promise<void> {
    this.stopping = true;
    this.receiver.refuseNew();
    this.listener.stopAccepting();
    const noLonger = new AbortController();
    const deadline = pause(deadlineMs, undefined, { signal: noLonger.signal }).catch(() => undefined);
    await Promise.race([this.inFlight.idle(), deadline]);
    noLonger.abort();
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
    // An aborted request is followed by `close`; without a listener it would end the process.
    request.on('error', ignore);
    response.on('error', ignore);
    this.serve(new Http1Exchange(request, response, this.limits.lingerMs, () => this.stopping));
  };

  private readonly onStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    this.inFlight.begin();
    stream.once('close', () => this.inFlight.end());
    stream.on('error', ignore);
    limitRequestTime(stream, this.limits.requestMs);
    if (!isGrpc(headers)) return this.serve(new Http2Exchange(stream, headers));
    serveGrpc(stream, headers, this.handler).catch((error: unknown) => {
      this.failures.failed(error, 'a gRPC call could not be answered');
      stream.destroy();
    });
  };

  private serve(exchange: Exchange): void {
    serveHttp(exchange, this.handler).catch((error: unknown) => {
      this.failures.failed(error, 'an HTTP request could not be answered');
      exchange.abandon();
    });
  }
}

function ignore(): void {}
