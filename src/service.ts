import type { RequestListener } from 'node:http';
import { DEVELOPMENT_WARNING } from './auth/development-identity.js';
import { controlPath, serveControl } from './cli/control-socket.js';
import { compose, type Parts } from './composition.js';
import { withBoundPort, type Settings } from './config.js';
import { createMetricsApp } from './http/app.js';
import { openCallCounts } from './engines/call-counts.js';
import { Problem, problemDocument } from './http/problems/problem.js';
import { createApiServer, type ApiServer } from './http/server.js';
import type { ServedCertificate } from './http/tls/served-certificate.js';
import type { Logger } from './log.js';
import type { Thread } from './threads/thread.js';
import type { Threads } from './threads/threads.js';
import { admitted } from './service/admitted.js';
import { apiOf } from './service/api.js';
import { certificateOf, plainTextWarning } from './service/certificate.js';
import { FirstGrid } from './service/first-grid.js';
import { followAccess } from './service/followed-access.js';
import { followSignOuts } from './service/followed-sign-outs.js';
import { measureHealth } from './service/health-metrics.js';
import { operationsOf } from './service/operations.js';
import { portalAddress } from './service/portal.js';
import { policiesOf } from './service/policies.js';
import { countBehind, startProjection } from './service/projection.js';
import { watchOver } from './service/watchdog.js';
import { tracedPort } from './tracing/traced-port.js';

/** How long requests under way may take to finish once the service stops. */
const DRAIN_MS = 10_000;

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
export async function startService(settings: Settings, log: Logger, threads: Threads, notice: (text: string) => void): Promise<Service> {
  const starting = new StartingService(settings, log, threads);
  try {
    return await starting.start(notice);
  } catch (error) {
    await starting.stop();
    throw error;
  }
}

class StartingService implements Service {
  /** What to undo, in the order in which it was done. */
  private readonly closers: (() => Promise<unknown> | void)[] = [];
  private stopped: Promise<void> | undefined;
  private certificate: ServedCertificate | undefined;
  private fail: (error: Error) => void = () => undefined;
  readonly failed = new Promise<Error>((resolve) => (this.fail = resolve));

  constructor(
    private readonly configured: Settings,
    private readonly log: Logger,
    private readonly threads: Threads,
  ) {
    this.watchThreads();
  }

  async start(notice: (text: string) => void): Promise<Service> {
    this.certificate = certificateOf(this.configured, this.log);
    const { settings, api, serve } = await this.listen(this.configured);
    const parts = await compose(settings, this.log, this.threads, { certificate: this.certificate, onLost: (error) => this.fail(error) });
    this.closers.push(() => parts.feed.close(), () => parts.eventStore.close(), () => parts.examiner.close(), () => parts.renderer.close(), () => closeSpeech(parts));
    await admitted(parts);
    const counts = settings.roles.has('api') ? await openCallCounts(settings, this.log) : undefined;
    this.closers.push(() => counts?.close(), followAccess(parts), await followSignOuts(parts));
    const { roles } = settings;
    const firstGrid = new FirstGrid(parts, notice);
    if (roles.has('project')) await this.project(parts, () => firstGrid.look());
    if (roles.has('project') || roles.has('api')) await this.diagnose(parts);
    const policies = policiesOf(parts, this.log);
    // Stopped after the faces and before the stores.
    for (const policy of policies) this.closers.push(() => policy.stop());
    const ports = roles.has('ingest') ? (await parts.otlpServer.listen()).ports : undefined;
    this.closers.push(() => Promise.all([api.stop(DRAIN_MS), parts.otlpServer.stop(DRAIN_MS)]), () => parts.live.stop());
    this.closers.push(() => parts.selfObservation?.tracer.close());
    if (roles.has('project')) await firstGrid.make(this.otlpUrl(settings, ports?.http ?? settings.otlpHttpPort));
    measureHealth(parts);
    const metricsPort = await this.serveMetrics(parts);
    parts.live.start();
    serve(apiOf(parts, this.log, ports?.http, counts));
    await this.takeOrders(parts);
    for (const policy of policies) policy.start();
    this.followCertificate(parts);
    this.warn(parts);
    const portal = portalAddress(settings);
    this.log.info('listening', { roles: [...roles], httpPort: settings.httpPort, otlpHttpPort: ports?.http, otlpGrpcPort: ports?.grpc, metricsPort, url: settings.publicUrl, portal });
    if (portal !== undefined) notice(`The portal: ${portal}`);
    return this;
  }

  reload(): void {
    this.certificate?.reload();
  }

  stop(): Promise<void> {
    this.stopped ??= this.undo();
    return this.stopped;
  }

  private async undo(): Promise<void> {
    for (const close of this.closers.reverse()) await close();
  }

  /** Binds the port first: the public address may depend on it, and a taken port should be told before anything is opened. */
  private async listen(configured: Settings): Promise<{ settings: Settings; api: ApiServer; serve: (app: RequestListener) => void }> {
    let app = answerStarting(configured.publicUrl);
    const { bindAddress, httpPort, publicUrl } = configured;
    const api = createApiServer({ app: (request, response) => app(request, response), bindAddress, port: httpPort, publicUrl, certificate: this.certificate });
    const port = await api.listen();
    this.closers.push(() => api.stop(DRAIN_MS));
    return { settings: withBoundPort(configured, port), api, serve: (ready) => (app = ready) };
  }

  /** From now on renewals are noticed, and the end of the certificate is measured. */
  private followCertificate({ metrics }: Parts): void {
    const { certificate } = this;
    if (certificate === undefined) return;
    certificate.watch();
    this.closers.push(() => certificate.close());
    metrics.certificateFrom(() => certificate.validUntil);
  }

  private watchThreads(): void {
    for (const [name, thread] of Object.entries<Pick<Thread<unknown>, 'ended' | 'close'>>({ ...this.threads })) {
      this.closers.push(() => thread.close());
      void thread.ended.then((error) => error && this.fail(new Error(`the ${name} thread died: ${error.message}`, { cause: error })));
    }
  }

  private async project(parts: Parts, onHeld: () => void): Promise<void> {
    const { projector, metrics, backlog } = parts;
    if (backlog !== undefined) metrics.backlogFrom(() => backlog.records);
    this.closers.push(() => projector.api.stop().catch((error: unknown) => this.log.warn('the projector did not stop in order', { error })));
    await startProjection(parts, onHeld);
    const onSilence = (ms: number): void => this.fail(new Error(`the projector has not answered for ${ms / 1000} s`));
    this.closers.push(watchOver({ ask: () => projector.api.check(), onSilence }));
    void countBehind(parts);
  }

  /** Keeps the live diagnostics current, and streams their changes; streams end before the faces drain. */
  private async diagnose({ diagnostics }: Parts): Promise<void> {
    this.closers.push(() => diagnostics.api.stop().catch((error: unknown) => this.log.warn('the diagnostics did not stop in order', { error })));
    await diagnostics.api.start();
  }

  /** Port of `/metrics`. */
  private async serveMetrics({ settings, metrics }: Parts): Promise<number> {
    const { metricsPort: port, httpPort, bindAddress, publicUrl } = settings;
    if (port === undefined || port === httpPort) return httpPort;
    const server: ApiServer = createApiServer({ app: createMetricsApp({ publicUrl, log: this.log, metrics: () => metrics.text() }), bindAddress, port, publicUrl, certificate: this.certificate });
    this.closers.push(() => server.stop(DRAIN_MS));
    return server.listen();
  }

  /** Rebuilds and the like are work to be told of, too. */
  private observed<Port extends object>({ selfObservation }: Parts, operations: Port): Port {
    return selfObservation === undefined ? operations : tracedPort(operations, 'operator', selfObservation.tracer);
  }

  private otlpUrl(settings: Settings, port: number): string {
    return `${this.certificate === undefined ? 'http' : 'https'}://${hostOf(settings)}:${port}`;
  }

  private warn({ settings, developmentIdentity }: Parts): void {
    if (settings.roles.has('api')) {
      if (developmentIdentity !== undefined) this.log.warn(DEVELOPMENT_WARNING);
      else if (settings.authUrl === undefined) this.log.warn('AUTH_URL is not set: only API keys are accepted');
    }
    const warning = plainTextWarning(settings);
    if (warning !== undefined) this.log.warn(warning);
  }

  private async takeOrders(parts: Parts): Promise<void> {
    const server = await serveControl(controlPath(parts.settings.dataDir), this.observed(parts, operationsOf(parts)));
    this.closers.push(() => void server.close());
  }
}

function closeSpeech({ speech: { synthesizer, recognizer, decoder } }: Parts): Promise<unknown> {
  return Promise.all([synthesizer.close(), recognizer.close(), decoder.close()]);
}

/** What callers are told who come before the stores are open. */
function answerStarting(publicUrl: string): RequestListener {
  const problem = problemDocument(new Problem('unavailable', 'The service is starting.'), publicUrl);
  return (_request, response) => response.writeHead(problem.status, { 'content-type': 'application/problem+json', 'retry-after': '1' }).end(JSON.stringify(problem));
}

function hostOf({ bindAddress }: Settings): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
