import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import type { Answerer } from '../assistant/answerer.js';
import type { Assistant } from '../assistant/assistant.js';
import { createAssistant, createLazyAnswerer } from '../assistant/create-assistant.js';
import { createSpeechEngines } from '../assistant/speech/adapters/create-speech-engines.js';
import type { SpeechEngines } from '../assistant/speech/speech-engines.js';
import type { ToolQueries } from '../assistant/tool.js';
import { TOOLS } from '../assistant/tools/tool-registry.js';
import { mintApiKey } from '../auth/api-key-format.js';
import { CachedAccessControl } from '../auth/cached-access-control.js';
import {
  createDevelopmentIdentityProvider,
  type DevelopmentIdentityProvider,
} from '../auth/development/development-identity-provider.js';
import { EndedSessions } from '../auth/portal/ended-sessions.js';
import { PortalSessions } from '../auth/portal/portal-sessions.js';
import { deriveSessionKey, createFileSessionKey } from '../auth/portal/session-encryption.js';
import { issuerUrl, createJwksFetcher } from '../auth/tokens/issuer-discovery.js';
import { createTokenVerifier, refuseBearer, type VerifyBearer } from '../auth/tokens/token-verifier.js';
import { createSignOutRecorder } from '../commands/portal-sessions/sign-out-recorder.js';
import { createCommandHandler, type CommandQueue, type CommandHandler } from '../commands/handle-command.js';
import { createAlertRuleCommands, type AlertRuleCommands } from '../commands/alert-rules/alert-rule-commands.js';
import {
  type AssistantCommands,
  createAssistantCommands,
  withVisibleUsage,
} from '../commands/assistant/assistant-commands.js';
import { runAfterVisible, type VisibilityWaiter } from '../commands/read-your-writes.js';
import { alertRulesDecider } from '../commands/alert-rules/alert-rule-decider.js';
import { alertsDecider, type ObserveAlerts } from '../commands/alerts/alert-decider.js';
import { createGridCommands, type GridCommands } from '../commands/grids/grid-commands.js';
import type { GridCommand } from '../commands/grids/grid-command-types.js';
import { gridDecider, type GridState } from '../commands/grids/grid-decider.js';
import { createChartCommands, type ChartCommands } from '../commands/charts/chart-commands.js';
import { chartsDecider } from '../commands/charts/chart-decider.js';
import type { Settings } from '../config/settings.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import { openLiveFeed } from './engines/coordination.js';
import { openEventLog } from './engines/event-log.js';
import { IngestBacklog, NO_BACKPRESSURE } from '../http/otlp/ingest-backlog.js';
import { ExportValidatorPool } from '../http/otlp/export-validator-pool.js';
import { LiveStreamHub } from '../http/live/live-stream-hub.js';
import { ClientResolver } from '../http/connection/client-resolver.js';
import { CredentialGuard } from '../http/limits/credential-guard.js';
import { createOtlpServer, type OtlpServer } from '../http/otlp/otlp-server.js';
import type { ReloadingCertificate } from '../http/connection/reloading-certificate.js';
import type { Logger } from '../self-telemetry/logger.js';
import { withMetrics, withTracing } from '../self-telemetry/event-store-instrumentation.js';
import { PrometheusMetrics } from '../self-telemetry/prometheus-metrics.js';
import { ApiKeyUsagePolicy } from '../policies/api-key-usage-policy.js';
import { ApiKeyUsageCompactor } from '../policies/api-key-usage-compactor.js';
import { withUnprojectedUse } from '../queries/administration/api-key-queries.js';
import type { AdministrationQueries } from '../queries/administration/administration-query-types.js';
import { discardUnusableStore } from '../read-models/adapters/sqlite/read-model-file.js';
import { OwnedShards } from './owned-shards.js';
import { resolveSignInPlace } from './compose-identity.js';
import {
  createStoredProjectionProgress,
  type ProjectionProgress,
} from '../projections/engine/stored-projection-progress.js';
import { startSelfTelemetry, type SelfTelemetry } from './compose-self-telemetry.js';
import type { AlertEvent } from '../streams/events/alert-events.js';
import type { GridEvent } from '../streams/events/grid-events.js';
import type { EventStore } from '../streams/event-store.js';
import type { LiveFeed } from '../streams/live/live-feed.js';
import { ShardMap } from '../streams/shard-map.js';
import { ChartRenderPool } from './threads/chart-render-pool.js';
import { READ_MODELS_FILE } from './engines/engine-settings.js';
import type { ProjectorApi } from './threads/projector-thread.js';
import type { AccessApi } from './threads/access-thread.js';
import type { DiagnosticsApi } from './threads/diagnostics-thread.js';
import type { ReaderApi } from './threads/reader-thread.js';
import type { WorkerThread } from './threads/worker-thread.js';
import type { ServiceThreads } from './threads/service-threads.js';

/** What the service is made of, by name. Nothing but this file knows the container. */
const PARTS = {
  settings: createToken<Settings>('settings'),
  log: createToken<Logger>('log'),
  metrics: createToken<PrometheusMetrics>('metrics'),
  feed: createToken<LiveFeed>('feed'),
  eventStore: createToken<EventStore>('event store'),
  projector: createToken<WorkerThread<ProjectorApi>>('projector'),
  reader: createToken<WorkerThread<ReaderApi>>('reader'),
  lookUps: createToken<WorkerThread<AccessApi>>('look-ups'),
  diagnostics: createToken<WorkerThread<DiagnosticsApi>>('diagnostics'),
  standings: createToken<ProjectionProgress>('standings'),
  holdings: createToken<OwnedShards>('holdings'),
  live: createToken<LiveStreamHub>('live'),
  access: createToken<CachedAccessControl>('access'),
  keyUse: createToken<ApiKeyUsagePolicy>('key use'),
  handleGrid: createToken<CommandHandler<GridCommand, GridEvent, GridState>>('handle grid'),
  gridCommands: createToken<GridCommands>('grid commands'),
  grids: createToken<GridCommands & VisibilityWaiter>('grids'),
  administration: createToken<AdministrationQueries>('administration'),
  alertRuleCommands: createToken<AlertRuleCommands>('alert rule commands'),
  chartCommands: createToken<ChartCommands>('chart commands'),
  assistantCommands: createToken<AssistantCommands>('assistant commands'),
  speech: createToken<SpeechEngines>('speech'),
  assistant: createToken<Assistant>('assistant'),
  renderer: createToken<ChartRenderPool>('renderer'),
  handleAlerts: createToken<CommandHandler<ObserveAlerts, AlertEvent>>('handle alerts'),
  developmentIdentity: createToken<DevelopmentIdentityProvider | undefined>('development identity'),
  endedSessions: createToken<EndedSessions>('ended sessions'),
  verifyBearer: createToken<VerifyBearer>('verify bearer'),
  portalSessions: createToken<PortalSessions | undefined>('portal sessions'),
  backlog: createToken<IngestBacklog | undefined>('backlog'),
  examiner: createToken<ExportValidatorPool>('examiner'),
  selfObservation: createToken<SelfTelemetry | undefined>('self-observation'),
  clients: createToken<ClientResolver>('clients'),
  guard: createToken<CredentialGuard>('guard'),
  otlpServer: createToken<OtlpServer>('otlp server'),
} as const;

/** How long the answer to a command waits until what it did shows (contract §6). */
const VISIBILITY_TIMEOUT_MS = 2_000;

/** Whose state is kept between two alerts; each is as large as what fires. */
const CACHED_ALERT_STREAMS = 1_000;

/** Grids whose charts and dashboards are kept between two commands: their streams hold all other settings too. */
const CACHED_CHART_GRIDS = 100;

/** Pictures that wait for a thread: a second's work of one. */
const MAX_QUEUED_RENDERS = 32;

function createToken<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

/** The parts, made and wired. */
export type ServiceParts = {
  readonly [Name in keyof typeof PARTS]: (typeof PARTS)[Name] extends InjectionToken<infer Part> ? Part : never;
};

/** What the parts need of the process that they live in. */
export interface CompositionOptions {
  /** What the ports of ingestion are served with; absent: without TLS. */
  readonly certificate?: ReloadingCertificate | undefined;
  /** Told when the log cannot go on. */
  readonly onLost: (error: Error) => void;
}

/**
 * Puts the service together on the engines that the settings name: opens the log, and so claims the folder.
 * No other part does I/O before it is used. Rejects with code `unavailable` when another process has the folder.
 */
export async function composeService(
  settings: Settings,
  log: Logger,
  threads: ServiceThreads,
  { certificate, onLost }: CompositionOptions,
): Promise<ServiceParts> {
  const parts = container.createChildContainer();
  const add = <T>(name: InjectionToken<T>, make: (parts: DependencyContainer) => T) =>
    parts.register(name, { useFactory: instanceCachingFactory(make) });
  const feed = await openLiveFeed(
    settings,
    `hindsight ${[...settings.roles].join(',')} ${hostname()}:${process.pid}`,
    log,
  );
  const metrics = new PrometheusMetrics();
  parts.registerInstance(PARTS.settings, settings);
  parts.registerInstance(PARTS.log, log);
  parts.registerInstance(PARTS.metrics, metrics);
  parts.registerInstance<LiveFeed>(PARTS.feed, feed);
  parts.registerInstance(PARTS.projector, threads.projector);
  parts.registerInstance(PARTS.reader, threads.reader);
  parts.registerInstance(PARTS.lookUps, threads.access);
  parts.registerInstance(PARTS.diagnostics, threads.diagnostics);
  const eventStore = await openEventLog(settings, feed, onLost);
  const metered = withMetrics(eventStore, metrics);
  const self = await startSelfTelemetry(settings, metrics, log);
  add(PARTS.selfObservation, () => self);
  parts.registerInstance(PARTS.eventStore, self === undefined ? metered : withTracing(metered, self.tracer, self.own));
  if (areReadModelsEmbedded(settings)) await quarantineDamagedReadModels(settings, eventStore, log);
  parts.registerInstance(PARTS.standings, createProjectionProgress(settings, threads));
  parts.registerInstance(PARTS.holdings, new OwnedShards(new ShardMap(settings.projectorShares)));
  parts.registerInstance(PARTS.speech, await createConfiguredSpeech(settings));
  registerIdentity(add, settings, log);
  registerAdministration(add, log);
  add(PARTS.live, () => new LiveStreamHub({ hints: feed.hints, diagnostics: threads.diagnostics.api }));
  add(
    PARTS.renderer,
    () => new ChartRenderPool({ threads: Math.max(1, availableParallelism() - 1), maxWaiting: MAX_QUEUED_RENDERS }),
  );
  registerCommands(add);
  registerAssistant(add, settings, log);
  registerIngestion(add, settings, log, certificate);
  return Object.fromEntries(
    Object.entries<InjectionToken<unknown>>(PARTS).map(([name, each]) => [name, parts.resolve(each)]),
  ) as unknown as ServiceParts;
}

/** Read models that cannot be gone on with make way: the projector builds new ones from the log. */
async function quarantineDamagedReadModels({ dataDir }: Settings, eventStore: EventStore, log: Logger): Promise<void> {
  const reason = discardUnusableStore(join(dataDir, READ_MODELS_FILE), await eventStore.head());
  if (reason !== undefined) log.warn('the read models are built anew from the log', { reason });
}

/** The projector of this process knows at once; one elsewhere is known by what it has stored. */
function createProjectionProgress(settings: Settings, { projector, access }: ServiceThreads): ProjectionProgress {
  if (areReadModelsEmbedded(settings))
    return {
      waitForPosition: (projection, position, timeoutMs) =>
        projector.api.waitForPosition(projection, position, timeoutMs),
    };
  return createStoredProjectionProgress((projection, gridId) => access.api.position(projection, gridId));
}

/** When commands show in the read models of all these projections. */
export function createVisibilityWaiter(
  standings: ProjectionProgress,
  ...projections: readonly string[]
): VisibilityWaiter {
  return {
    async waitForPosition(position) {
      const reached = await Promise.all(
        projections.map((projection) => standings.waitForPosition(projection, position, VISIBILITY_TIMEOUT_MS)),
      );
      return reached.every((each) => each);
    },
  };
}

type RegisterPart = <T>(name: InjectionToken<T>, make: (parts: DependencyContainer) => T) => void;

function registerCommands(add: RegisterPart): void {
  const ofGrids: CommandQueue = new Map();
  add(PARTS.handleGrid, (parts) => createCommandHandler(parts.resolve(PARTS.eventStore), gridDecider, 0, ofGrids));
  add(PARTS.gridCommands, (parts) =>
    createGridCommands({ handle: parts.resolve(PARTS.handleGrid), mintApiKey, newId: randomUUID, now: Date.now }),
  );
  add(PARTS.alertRuleCommands, (parts) =>
    createAlertRuleCommands({
      handle: createCommandHandler(parts.resolve(PARTS.eventStore), alertRulesDecider, 0, ofGrids),
      newId: randomUUID,
      now: Date.now,
    }),
  );
  add(PARTS.chartCommands, (parts) =>
    createChartCommands({
      handle: createCommandHandler(parts.resolve(PARTS.eventStore), chartsDecider, CACHED_CHART_GRIDS, ofGrids),
      newId: randomUUID,
      now: Date.now,
    }),
  );
  add(PARTS.assistantCommands, (parts) =>
    createAssistantCommands({
      log: parts.resolve(PARTS.eventStore),
      newId: randomUUID,
      now: Date.now,
      gridLine: ofGrids,
    }),
  );
  add(PARTS.handleAlerts, (parts) =>
    createCommandHandler(parts.resolve(PARTS.eventStore), alertsDecider, CACHED_ALERT_STREAMS),
  );
}

/** What is done to Grids also decides who may do what: by the time that it shows, nothing older is remembered, and whoever is out is out. */
function registerAdministration(add: RegisterPart, log: Logger): void {
  add(
    PARTS.keyUse,
    (parts) =>
      new ApiKeyUsagePolicy({
        log: parts.resolve(PARTS.eventStore),
        tidying: createKeyUseCleanup(parts),
        logger: log,
        newId: randomUUID,
        now: Date.now,
      }),
  );
  add(PARTS.administration, (parts) =>
    withUnprojectedUse(parts.resolve(PARTS.lookUps).api, (gridId) => parts.resolve(PARTS.keyUse).usageByKey(gridId)),
  );
  add(PARTS.grids, (parts) => {
    const showing = runAfterVisible(createVisibilityWaiter(parts.resolve(PARTS.standings), 'access', 'audit'), () => {
      parts.resolve(PARTS.access).invalidate();
      parts.resolve(PARTS.live).recheckAccess();
    });
    return { ...parts.resolve(PARTS.gridCommands), ...showing };
  });
}

function createKeyUseCleanup(parts: DependencyContainer): ApiKeyUsageCompactor {
  const { api: lookUps } = parts.resolve(PARTS.lookUps);
  const showing = createVisibilityWaiter(parts.resolve(PARTS.standings), 'key-use');
  return new ApiKeyUsageCompactor({
    log: parts.resolve(PARTS.eventStore),
    // One process tidies for all.
    grids: async () => (parts.resolve(PARTS.holdings).hasAdministration ? lookUps.allGrids() : []),
    stored: (gridId) => lookUps.keyUses(gridId),
    waitForPosition: (position) => showing.waitForPosition(position),
    newId: randomUUID,
  });
}

function registerAssistant(add: RegisterPart, settings: Settings, log: Logger): void {
  add(PARTS.assistant, (parts) => {
    const telemetry = parts.resolve(PARTS.reader).api;
    const diagnostics = parts.resolve(PARTS.diagnostics).api;
    const usage = parts.resolve(PARTS.lookUps).api;
    const answerer = createLazyAnswerer(() =>
      createAnswerer({ telemetry, diagnostics, charts: diagnostics, usage, alerts: diagnostics }, settings, log),
    );
    const commands = withVisibleUsage(
      parts.resolve(PARTS.assistantCommands),
      createVisibilityWaiter(parts.resolve(PARTS.standings), 'usage'),
    );
    return createAssistant({
      commands,
      usage,
      telemetry,
      answerer,
      speech: parts.resolve(PARTS.speech),
      log,
      now: Date.now,
    });
  });
}

/** The analyst alone, or behind a language model; loads what it needs. */
async function createAnswerer(
  queries: ToolQueries,
  { llmBaseUrl: baseUrl, llmModel: model, llmApiKey }: Settings,
  log: Logger,
): Promise<Answerer> {
  const { createAnalyst } = await import('../assistant/analyst/analyst.js');
  const analyst = createAnalyst(queries);
  if (baseUrl === undefined || model === undefined) return analyst;
  const { EXAMPLE_QUESTIONS } = await import('../assistant/analyst/fallback-answers.js');
  const { createModelAnswerer } = await import('../assistant/language-model/model-answerer.js');
  const { createOpenAiModel } = await import('../assistant/language-model/adapters/openai/openai-model.js');
  return createModelAnswerer({
    model: createOpenAiModel({ baseUrl, model, apiKey: llmApiKey?.reveal() }),
    tools: TOOLS,
    queries,
    fallback: analyst,
    suggestions: EXAMPLE_QUESTIONS,
    log,
  });
}

function createConfiguredSpeech({
  speechBaseUrl: baseUrl,
  speechApiKey,
  ttsModel,
  sttModel,
}: Settings): Promise<SpeechEngines> {
  return createSpeechEngines({ baseUrl, apiKey: speechApiKey?.reveal(), ttsModel, sttModel });
}

function registerIdentity(add: RegisterPart, settings: Settings, log: Logger): void {
  add(
    PARTS.access,
    (parts) =>
      new CachedAccessControl(parts.resolve(PARTS.lookUps).api, {
        retentionDays: settings.retentionDays,
        keyUses: parts.resolve(PARTS.keyUse),
      }),
  );
  add(PARTS.developmentIdentity, () => openDevelopmentIdentity(settings, log));
  add(PARTS.endedSessions, (parts) =>
    createEndedSessions(parts.resolve(PARTS.eventStore), () => parts.resolve(PARTS.live).recheckAccess(), log),
  );
  add(PARTS.verifyBearer, (parts) =>
    parts
      .resolve(PARTS.endedSessions)
      .rejectEnded(createBearerVerifier(settings, log, parts.resolve(PARTS.developmentIdentity))),
  );
  add(PARTS.portalSessions, (parts) =>
    createPortalSessions(settings, parts.resolve(PARTS.developmentIdentity), parts.resolve(PARTS.endedSessions)),
  );
}

function createEndedSessions(eventStore: EventStore, onEnded: () => void, log: Logger): EndedSessions {
  const record = createSignOutRecorder({ log: eventStore, newId: randomUUID });
  const onUnrecorded = (error: unknown): void =>
    log.error(
      'a sign-out could not be written to the log: until it is, copies of that cookie are refused by this process alone',
      { error },
    );
  return new EndedSessions({ record, onUnrecorded, onEnded, now: Date.now });
}

/** Undefined where there is no issuer that users could sign in at. */
function createPortalSessions(
  settings: Settings,
  development: DevelopmentIdentityProvider | undefined,
  ended: EndedSessions,
): PortalSessions | undefined {
  const place = resolveSignInPlace(settings, development);
  if (place === undefined) return undefined;
  const { publicUrl, dataDir, portalClientId, portalClientSecret, portalSessionSecret, portalSignOut } = settings;
  const client =
    development === undefined
      ? { clientId: portalClientId, clientSecret: portalClientSecret?.reveal() }
      : { clientId: development.portalClientId, fetch: development.fetch };
  const key =
    portalSessionSecret === undefined
      ? createFileSessionKey(join(dataDir, 'portal-session-key'))
      : deriveSessionKey(portalSessionSecret.reveal());
  return new PortalSessions({
    publicUrl,
    provider: { issuer: place.issuer, ...client },
    scope: place.scope,
    key,
    users: development?.users ?? [],
    ended,
    signsOutAtProvider: portalSignOut === 'provider',
    now: Date.now,
  });
}

/** Only without a directory, and never in production. */
function openDevelopmentIdentity(settings: Settings, log: Logger): DevelopmentIdentityProvider | undefined {
  if (settings.authUrl !== undefined || settings.production) return undefined;
  const {
    publicUrl,
    dataDir,
    authTenantId: tenantId,
    authAudience: audience,
    authAppPermission: appPermission,
  } = settings;
  return createDevelopmentIdentityProvider({
    publicUrl,
    tenantId,
    audience,
    dataDir,
    appPermission,
    onError: (error) => log.error('the development identity provider failed', { error }),
  });
}

function createBearerVerifier(
  settings: Settings,
  log: Logger,
  development: DevelopmentIdentityProvider | undefined,
): VerifyBearer {
  const { authUrl, authTenantId: tenantId, authAudience: audience, authAppPermission: appPermission } = settings;
  const issuer = development?.issuer ?? (authUrl === undefined ? undefined : issuerUrl(authUrl, tenantId));
  if (issuer === undefined) return refuseBearer;
  const fetchKeys = development === undefined ? createJwksFetcher(issuer) : () => development.jwks();
  return createTokenVerifier({
    issuer,
    tenantId,
    audience,
    appPermission,
    fetchKeys,
    onRefreshFailure: (error) => log.warn('keys of the issuer cannot be fetched', { issuer, error }),
  });
}

function registerIngestion(
  add: RegisterPart,
  settings: Settings,
  log: Logger,
  certificate: ReloadingCertificate | undefined,
): void {
  add(PARTS.clients, () => new ClientResolver(settings.trustedProxies));
  add(PARTS.guard, () => new CredentialGuard({ failuresPerMinute: settings.failedCredentialsPerMinute }));
  add(PARTS.backlog, () => (areReadModelsEmbedded(settings) ? new IngestBacklog() : undefined));
  add(
    PARTS.examiner,
    () => new ExportValidatorPool({ threads: Math.max(1, availableParallelism() - 1), maxWaiting: 1024 }),
  );
  add(PARTS.otlpServer, (parts) =>
    createOtlpServer({
      store: parts.resolve(PARTS.eventStore),
      access: parts.resolve(PARTS.access),
      keyUses: parts.resolve(PARTS.keyUse),
      examiner: parts.resolve(PARTS.examiner),
      backlog: parts.resolve(PARTS.backlog) ?? NO_BACKPRESSURE,
      meters: parts.resolve(PARTS.metrics),
      log,
      now: Date.now,
      bindAddress: settings.bindAddress,
      ports: { http: settings.otlpHttpPort, grpc: settings.otlpGrpcPort },
      allowedOrigins: settings.otlpAllowedOrigins,
      certificate,
      clients: parts.resolve(PARTS.clients),
      guard: parts.resolve(PARTS.guard),
    }),
  );
}
