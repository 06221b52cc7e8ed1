import type { RequestListener } from 'node:http';
import { DEVELOPMENT_WARNING } from '../auth/development/development-identity-provider.js';
import { controlSocketPath, serveControlSocket } from '../operations/control-socket.js';
import { composeService } from './composition.js';
import type { ServiceParts } from './service-parts.js';
import { withBoundPort, type Settings } from '../config/settings.js';
import { hasIdentityProvider } from '../config/sign-in-settings.js';
import { createMetricsApp } from '../http/app.js';
import { openSharedRateCounter } from './engines/shared-rate-counter.js';
import { Problem, toProblemDocument } from '../http/problems/problem-details.js';
import { createApiServer, type ApiServer } from '../http/api-server.js';
import type { ClosedConnectionLog } from '../http/connection/closed-connection-log.js';
import type { ReloadingCertificate } from '../http/connection/reloading-certificate.js';
import { createApiConnectionLimits } from './connection-limits.js';
import type { Logger } from '../self-telemetry/logger.js';
import { createThreadMemoryApi, type WorkerThread } from './threads/worker-thread.js';
import { allowHeapGrowth, ThreadCaches } from '../thread-memory.js';
import { planMemory } from './engines/memory-plan.js';
import { registerMemoryMetrics } from './memory-metrics.js';
import { MemoryGovernor, type ReleasableMemory } from './memory-governor.js';
import { createNativeMemoryTrimmer } from './native-memory.js';
import type { ServiceThreads } from './threads/service-threads.js';
import { assertShardCountMatches, registerHealthMetrics } from './readiness.js';
import { composeApi, findPortalUrl } from './compose-api.js';
import { loadCertificate, findPlainTextWarning } from './transport-security.js';
import { FirstGridBootstrap } from './first-grid-bootstrap.js';
import { startAccessLog } from './compose-identity.js';
import { startSignOutPoller } from './sign-out-poller.js';
import { composeOperations } from './compose-operations.js';
import { composePolicies } from './compose-policies.js';
import { readObservedTime } from './compose-retention.js';
import { countInitialBacklog, startProjection } from './projection-startup.js';
import type { Damage } from '../streams/log-checker.js';
import { proxyCallback } from './threads/worker-thread.js';
import { startWatchdog } from './threads/thread-watchdog.js';
import { tracePort } from '../self-telemetry/port-tracing.js';

/** Time (ms) that running requests have to finish once the service stops. */
const DRAIN_TIMEOUT_MS = 10_000;

export interface Service {
  /** Resolves with the error that ended the service. */
  readonly failed: Promise<Error>;
  /** Reloads the TLS certificate, if one is configured. */
  reload(): void;
  /** Stops accepting requests, lets running ones finish, closes the stores. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts the service on its ports. `notice` receives text that the operator must read once: the first Grid and its API
 * key. Rejects when a port is taken, another process holds the data folder, or the certificate is unusable
 * (`SettingsError`); everything that was started is stopped first.
 */
export async function startService(
  settings: Settings,
  log: Logger,
  threads: ServiceThreads,
  notice: (text: string) => void,
): Promise<Service> {
  const lifecycle = new ServiceLifecycle(settings, log, threads);
  try {
    return await lifecycle.start(notice);
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

class ServiceLifecycle implements Service {
  /** Cleanup steps in start order; they run in reverse. */
  private readonly closers: (() => Promise<unknown> | void)[] = [];
  private stopped: Promise<void> | undefined;
  private certificate: ReloadingCertificate | undefined;
  /** Set once the metrics exist. */
  private closedConnections: ClosedConnectionLog | undefined;
  private fail: (error: Error) => void = () => undefined;
  readonly failed = new Promise<Error>((resolve) => (this.fail = resolve));

  constructor(
    private readonly configured: Settings,
    private readonly log: Logger,
    private readonly threads: ServiceThreads,
  ) {
    this.watchThreads();
  }

  async start(notice: (text: string) => void): Promise<Service> {
    this.certificate = loadCertificate(this.configured, this.log);
    const { settings, api, serve } = await this.listen(this.configured);
    const parts = await composeService(settings, this.log, this.threads, {
      certificate: this.certificate,
      onLost: (error) => this.fail(error),
    });
    this.closedConnections = parts.closedConnections;
    this.closers.push(
      () => parts.feed.close(),
      () => parts.eventStore.close(),
      () => parts.validatorPool.close(),
      () => parts.renderer.close(),
      () => closeSpeech(parts),
    );
    this.governMemory(parts);
    await assertShardCountMatches(parts);
    const rateCounter = settings.roles.has('api') ? await openSharedRateCounter(settings, this.log) : undefined;
    this.closers.push(() => rateCounter?.close(), await startAccessLog(parts), await startSignOutPoller(parts));
    const { roles } = settings;
    const firstGrid = new FirstGridBootstrap(parts, notice);
    if (roles.has('project')) await this.startProjector(parts, () => firstGrid.createOnceOwned());
    if (roles.has('project') || roles.has('api')) await this.startDiagnostics(parts);
    const { logScrub } = parts;
    if (logScrub !== undefined)
      await parts.reader.api.reportDamage(proxyCallback((damage: Damage) => logScrub.note(damage)));
    const policies = composePolicies(parts, this.log);
    // Reverse order: policies stop after the servers and before the stores.
    for (const policy of policies) this.closers.push(() => policy.stop());
    if (roles.has('ingest')) await readObservedTime(parts.retentionClock, this.log, settings.storeTimeoutMs);
    const ports = roles.has('ingest') ? (await parts.otlpServer.listen()).ports : undefined;
    this.closers.push(
      () => Promise.all([api.stop(DRAIN_TIMEOUT_MS), parts.otlpServer.stop(DRAIN_TIMEOUT_MS)]),
      () => parts.live.stop(),
    );
    this.closers.push(() => parts.selfTelemetry?.tracer.close());
    if (roles.has('project')) await firstGrid.create(this.otlpUrl(settings, ports?.http ?? settings.otlpHttpPort));
    registerHealthMetrics(parts);
    const metricsPort = await this.serveMetrics(parts);
    parts.live.start();
    serve(composeApi(parts, this.log, ports?.http, rateCounter));
    await this.serveControlSocket(parts);
    for (const policy of policies) policy.start();
    this.watchCertificate(parts);
    this.logWarnings(parts);
    const portal = findPortalUrl(settings);
    this.log.info('listening', {
      roles: [...roles],
      httpPort: settings.httpPort,
      otlpHttpPort: ports?.http,
      otlpGrpcPort: ports?.grpc,
      metricsPort,
      url: settings.publicUrl,
      portal,
    });
    if (portal !== undefined) notice(`The portal: ${portal}`);
    return this;
  }

  reload(): void {
    this.certificate?.reload();
  }

  stop(): Promise<void> {
    this.stopped ??= this.closeAll();
    return this.stopped;
  }

  private async closeAll(): Promise<void> {
    for (const close of this.closers.reverse()) await close();
  }

  /** Binds the port first: the public URL may contain it, and a taken port must fail before any store is opened. */
  private async listen(
    configured: Settings,
  ): Promise<{ settings: Settings; api: ApiServer; serve: (app: RequestListener) => void }> {
    let app = createStartingListener(configured.publicUrl);
    const { bindAddress, httpPort, publicUrl } = configured;
    const api = createApiServer({
      app: (request, response) => app(request, response),
      bindAddress,
      port: httpPort,
      publicUrl,
      certificate: this.certificate,
      ...this.createConnectionLimits(configured),
    });
    const port = await api.listen();
    this.closers.push(() => api.stop(DRAIN_TIMEOUT_MS));
    return { settings: withBoundPort(configured, port), api, serve: (ready) => (app = ready) };
  }

  private createConnectionLimits(settings: Settings): ReturnType<typeof createApiConnectionLimits> {
    return createApiConnectionLimits(settings, () => this.closedConnections);
  }

  /** Reloads the certificate when its files change, and exports its expiry. */
  private watchCertificate({ metrics }: ServiceParts): void {
    const { certificate } = this;
    if (certificate === undefined) return;
    certificate.watch();
    this.closers.push(() => certificate.close());
    metrics.registerCertificateExpiry(() => certificate.validUntil);
  }

  private watchThreads(): void {
    for (const [name, thread] of Object.entries<Pick<WorkerThread<unknown>, 'ended' | 'close'>>({ ...this.threads })) {
      this.closers.push(() => thread.close());
      void thread.ended.then(
        (error) => error && this.fail(new Error(`Thread ${name} died: ${error.message}`, { cause: error })),
      );
    }
  }

  /** Keeps the process within MEMORY_LIMIT, and shows the budget and its parts in `/metrics`. */
  private governMemory({ settings, metrics, validatorPool }: ServiceParts): void {
    allowHeapGrowth();
    const plan = planMemory(settings.memoryLimit, settings.roles);
    const governor = new MemoryGovernor({
      limitBytes: plan.limitBytes,
      threads: listReleasableMemory(this.threads, validatorPool),
      trimNativeMemory: createNativeMemoryTrimmer(this.log),
      log: this.log,
    });
    registerMemoryMetrics(metrics, plan, () => governor.threads);
    governor.start();
    this.closers.push(() => governor.stop());
  }

  private async startProjector(parts: ServiceParts, onOwnedShardsChanged: () => void): Promise<void> {
    const { projector, metrics, backlog } = parts;
    if (backlog !== undefined) metrics.registerBacklog(() => backlog.records);
    this.closers.push(() =>
      projector.api.stop().catch((error: unknown) => this.log.warn('Projector did not stop cleanly', { error })),
    );
    await startProjection(parts, onOwnedShardsChanged);
    const onSilence = (ms: number): void =>
      this.fail(new Error(`The projector thread has not responded for ${ms / 1000} s`));
    this.closers.push(startWatchdog({ ping: () => projector.api.check(), onSilence }));
    void countInitialBacklog(parts);
  }

  /** Starts live diagnostics and their streams; the streams end before the servers drain. */
  private async startDiagnostics({ diagnostics }: ServiceParts): Promise<void> {
    this.closers.push(() =>
      diagnostics.api.stop().catch((error: unknown) => this.log.warn('Diagnostics did not stop cleanly', { error })),
    );
    await diagnostics.api.start();
  }

  /** Resolves to the port of `/metrics`; opens a server where that is a port of its own. */
  private async serveMetrics({ settings, metrics }: ServiceParts): Promise<number> {
    const { metricsPort: port, httpPort, bindAddress, publicUrl } = settings;
    if (port === undefined || port === httpPort) return httpPort;
    const server: ApiServer = createApiServer({
      app: createMetricsApp({ publicUrl, log: this.log, metrics: () => metrics.toPrometheusText() }),
      bindAddress,
      port,
      publicUrl,
      certificate: this.certificate,
      ...this.createConnectionLimits(settings),
    });
    this.closers.push(() => server.stop(DRAIN_TIMEOUT_MS));
    return server.listen();
  }

  /** Adds spans to operator commands such as rebuilds. */
  private traceOperations<Port extends object>({ selfTelemetry }: ServiceParts, operations: Port): Port {
    return selfTelemetry === undefined ? operations : tracePort(operations, 'operator', selfTelemetry.tracer);
  }

  private otlpUrl(settings: Settings, port: number): string {
    return `${this.certificate === undefined ? 'http' : 'https'}://${toLocalHost(settings)}:${port}`;
  }

  private logWarnings({ settings, developmentIdentity }: ServiceParts): void {
    if (settings.roles.has('api')) {
      if (developmentIdentity !== undefined) this.log.warn(DEVELOPMENT_WARNING);
      else if (!hasIdentityProvider(settings)) this.log.warn('OIDC_ISSUER is not set; only API keys are accepted');
    }
    const warning = findPlainTextWarning(settings);
    if (warning !== undefined) this.log.warn(warning);
  }

  private async serveControlSocket(parts: ServiceParts): Promise<void> {
    const server = await serveControlSocket(
      controlSocketPath(parts.settings.dataDir),
      this.traceOperations(parts, composeOperations(parts)),
    );
    this.closers.push(() => void server.close());
  }
}

/** Everything of the process that holds much memory, by name. */
function listReleasableMemory(
  threads: ServiceThreads,
  validatorPool: ServiceParts['validatorPool'],
): Record<string, ReleasableMemory> {
  const running = Object.entries<WorkerThread<unknown>>({ ...threads }).flatMap(([name, { memory }]) =>
    memory === undefined ? [] : [[name, memory] as const],
  );
  return {
    main: createThreadMemoryApi(new ThreadCaches()),
    ...Object.fromEntries(running),
    validators: { releaseMemory: () => validatorPool.releaseMemory() },
  };
}

function closeSpeech({ speech: { synthesizer, recognizer, decoder } }: ServiceParts): Promise<unknown> {
  return Promise.all([synthesizer.close(), recognizer.close(), decoder.close()]);
}

/** Answers 503 until the stores are open. */
function createStartingListener(publicUrl: string): RequestListener {
  const problem = toProblemDocument(new Problem('unavailable', 'The service is starting.'), publicUrl);
  return (_request, response) =>
    response
      .writeHead(problem.status, { 'content-type': 'application/problem+json', 'retry-after': '1' })
      .end(JSON.stringify(problem));
}

function toLocalHost({ bindAddress }: Settings): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
