import type { RequestListener } from 'node:http';
import { DEVELOPMENT_WARNING } from '../auth/development/development-identity-provider.js';
import { controlSocketPath, serveControlSocket } from '../operations/control-socket.js';
import { composeService, type ServiceParts } from './composition.js';
import { withBoundPort, type Settings } from '../config/settings.js';
import { createMetricsApp } from '../http/app.js';
import { openSharedRateCounter } from './engines/shared-rate-counter.js';
import { Problem, toProblemDocument } from '../http/problems/problem-details.js';
import { createApiServer, type ApiServer } from '../http/api-server.js';
import type { ReloadingCertificate } from '../http/connection/reloading-certificate.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { WorkerThread } from './threads/worker-thread.js';
import type { ServiceThreads } from './threads/service-threads.js';
import { assertShardCountMatches, registerHealthMetrics } from './readiness.js';
import { composeApi, findPortalUrl } from './compose-api.js';
import { loadCertificate, findPlainTextWarning } from './transport-security.js';
import { FirstGridBootstrap } from './first-grid-bootstrap.js';
import { watchAccess } from './access-change-poller.js';
import { startSignOutPoller } from './sign-out-poller.js';
import { composeOperations } from './compose-operations.js';
import { composePolicies } from './compose-policies.js';
import { countInitialBacklog, startProjection } from './projection-startup.js';
import { startWatchdog } from './threads/thread-watchdog.js';
import { tracePort } from '../self-telemetry/port-tracing.js';

/** How long requests under way may take to finish once the service stops. */
const DRAIN_TIMEOUT_MS = 10_000;

export interface Service {
  /** Resolves with the reason when the service cannot go on. */
  readonly failed: Promise<Error>;
  /** Reads the certificate again, where there is one. */
  reload(): void;
  /** Stops accepting, finishes what is under way, closes the stores. Legal twice. */
  stop(): Promise<void>;
}

/**
 * Starts the service on its ports. `notice` is given what the operator has to read once: the first Grid and its key.
 * Rejects when a port is taken, the data folder belongs to another process, or (`SettingsError`) the certificate cannot be
 * served; nothing is left running then.
 */
export async function startService(
  settings: Settings,
  log: Logger,
  threads: ServiceThreads,
  notice: (text: string) => void,
): Promise<Service> {
  const starting = new ServiceLifecycle(settings, log, threads);
  try {
    return await starting.start(notice);
  } catch (error) {
    await starting.stop();
    throw error;
  }
}

class ServiceLifecycle implements Service {
  /** What to undo, in the order in which it was done. */
  private readonly closers: (() => Promise<unknown> | void)[] = [];
  private stopped: Promise<void> | undefined;
  private certificate: ReloadingCertificate | undefined;
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
    this.closers.push(
      () => parts.feed.close(),
      () => parts.eventStore.close(),
      () => parts.examiner.close(),
      () => parts.renderer.close(),
      () => closeSpeech(parts),
    );
    await assertShardCountMatches(parts);
    const counts = settings.roles.has('api') ? await openSharedRateCounter(settings, this.log) : undefined;
    this.closers.push(() => counts?.close(), watchAccess(parts), await startSignOutPoller(parts));
    const { roles } = settings;
    const firstGrid = new FirstGridBootstrap(parts, notice);
    if (roles.has('project')) await this.startProjector(parts, () => firstGrid.createOnceOwned());
    if (roles.has('project') || roles.has('api')) await this.startDiagnostics(parts);
    const policies = composePolicies(parts, this.log);
    // Stopped after the faces and before the stores.
    for (const policy of policies) this.closers.push(() => policy.stop());
    const ports = roles.has('ingest') ? (await parts.otlpServer.listen()).ports : undefined;
    this.closers.push(
      () => Promise.all([api.stop(DRAIN_TIMEOUT_MS), parts.otlpServer.stop(DRAIN_TIMEOUT_MS)]),
      () => parts.live.stop(),
    );
    this.closers.push(() => parts.selfObservation?.tracer.close());
    if (roles.has('project')) await firstGrid.create(this.otlpUrl(settings, ports?.http ?? settings.otlpHttpPort));
    registerHealthMetrics(parts);
    const metricsPort = await this.serveMetrics(parts);
    parts.live.start();
    serve(composeApi(parts, this.log, ports?.http, counts));
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

  /** Binds the port first: the public address may depend on it, and a taken port should be told before anything is opened. */
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
    });
    const port = await api.listen();
    this.closers.push(() => api.stop(DRAIN_TIMEOUT_MS));
    return { settings: withBoundPort(configured, port), api, serve: (ready) => (app = ready) };
  }

  /** From now on renewals are noticed, and the end of the certificate is measured. */
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
        (error) => error && this.fail(new Error(`the ${name} thread died: ${error.message}`, { cause: error })),
      );
    }
  }

  private async startProjector(parts: ServiceParts, onHeld: () => void): Promise<void> {
    const { projector, metrics, backlog } = parts;
    if (backlog !== undefined) metrics.registerBacklog(() => backlog.records);
    this.closers.push(() =>
      projector.api.stop().catch((error: unknown) => this.log.warn('the projector did not stop in order', { error })),
    );
    await startProjection(parts, onHeld);
    const onSilence = (ms: number): void => this.fail(new Error(`the projector has not answered for ${ms / 1000} s`));
    this.closers.push(startWatchdog({ ping: () => projector.api.check(), onSilence }));
    void countInitialBacklog(parts);
  }

  /** Keeps the live diagnostics current, and streams their changes; streams end before the faces drain. */
  private async startDiagnostics({ diagnostics }: ServiceParts): Promise<void> {
    this.closers.push(() =>
      diagnostics.api
        .stop()
        .catch((error: unknown) => this.log.warn('the diagnostics did not stop in order', { error })),
    );
    await diagnostics.api.start();
  }

  /** Port of `/metrics`. */
  private async serveMetrics({ settings, metrics }: ServiceParts): Promise<number> {
    const { metricsPort: port, httpPort, bindAddress, publicUrl } = settings;
    if (port === undefined || port === httpPort) return httpPort;
    const server: ApiServer = createApiServer({
      app: createMetricsApp({ publicUrl, log: this.log, metrics: () => metrics.toPrometheusText() }),
      bindAddress,
      port,
      publicUrl,
      certificate: this.certificate,
    });
    this.closers.push(() => server.stop(DRAIN_TIMEOUT_MS));
    return server.listen();
  }

  /** Rebuilds and the like are work to be told of, too. */
  private traceOperations<Port extends object>({ selfObservation }: ServiceParts, operations: Port): Port {
    return selfObservation === undefined ? operations : tracePort(operations, 'operator', selfObservation.tracer);
  }

  private otlpUrl(settings: Settings, port: number): string {
    return `${this.certificate === undefined ? 'http' : 'https'}://${toLocalHost(settings)}:${port}`;
  }

  private logWarnings({ settings, developmentIdentity }: ServiceParts): void {
    if (settings.roles.has('api')) {
      if (developmentIdentity !== undefined) this.log.warn(DEVELOPMENT_WARNING);
      else if (settings.authUrl === undefined) this.log.warn('AUTH_URL is not set: only API keys are accepted');
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

function closeSpeech({ speech: { synthesizer, recognizer, decoder } }: ServiceParts): Promise<unknown> {
  return Promise.all([synthesizer.close(), recognizer.close(), decoder.close()]);
}

/** What callers are told who come before the stores are open. */
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
