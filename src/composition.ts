import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import type { Answerer } from './assistant/answer.js';
import type { Assistant } from './assistant/assistant.js';
import { createAssistant } from './assistant/create-assistant.js';
import { firstAsked } from './assistant/first-asked.js';
import { createSpeech } from './assistant/speech/adapters/create-speech.js';
import type { Speech } from './assistant/speech/speech.js';
import type { ToolQueries } from './assistant/tool.js';
import { TOOLS } from './assistant/tools/index.js';
import { mintApiKey } from './auth/api-keys.js';
import { CachedAccess } from './auth/cached-access.js';
import { createDevelopmentIdentity, type DevelopmentIdentity } from './auth/development-identity.js';
import { EndedSessions } from './auth/portal/ended-sessions.js';
import { PortalSessions } from './auth/portal/portal-sessions.js';
import { keyFromSecret, keyInFile } from './auth/portal/session-key.js';
import { issuerOf, publishedKeys } from './auth/issuer.js';
import { createTokenVerifier, refuseBearer, type VerifyBearer } from './auth/token-verifier.js';
import { createRecordSignOut } from './commands/portal-sign-outs.js';
import { createHandle, type CommandLine, type Handle } from './commands/handle.js';
import { createAlertRuleCommands, type AlertRuleCommands } from './commands/alert-rule-commands.js';
import { createAssistantCommands, type AssistantCommands } from './commands/assistant-commands.js';
import { afterShowing, type Showing } from './commands/shown.js';
import { shownAccounts } from './commands/shown-accounts.js';
import { alertRulesDecider } from './commands/alert-rules/decider.js';
import { alertsDecider, type Observe } from './commands/alerts/decider.js';
import { createGridCommands, type GridCommands } from './commands/grid-commands.js';
import type { GridCommand } from './commands/grid/commands.js';
import { gridDecider } from './commands/grid/decider.js';
import type { GridState } from './commands/grid/state.js';
import { createChartCommands, type ChartCommands } from './commands/chart-commands.js';
import { chartsDecider } from './commands/charts/decider.js';
import type { Settings } from './config.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import { openFeed } from './engines/feed.js';
import { openLog } from './engines/log.js';
import { Backlog, UNBOUNDED } from './http/otlp/backlog.js';
import { ExaminerPool } from './http/otlp/examiner-pool.js';
import { LiveHub } from './http/live/streams.js';
import { Clients } from './http/clients.js';
import { CredentialGuard } from './http/credential-guard.js';
import { createOtlpServer, type OtlpServer } from './http/otlp/server.js';
import type { ServedCertificate } from './http/tls/served-certificate.js';
import type { Logger } from './log.js';
import { meteredEventStore } from './metrics/metered-event-store.js';
import { Metrics } from './metrics/metrics.js';
import { KeyUsePolicy } from './policies/key-use.js';
import { KeyUseTidying } from './policies/key-use-tidying.js';
import { withUseOf } from './queries/administration/api-keys.js';
import type { AdministrationQueries } from './queries/administration/questions.js';
import { makeWay } from './read-models/adapters/sqlite/fitness.js';
import { Holdings } from './service/holdings.js';
import { signInPlace } from './service/sign-in-place.js';
import { storedStandings, type Standings } from './service/standings.js';
import { observeSelf, type SelfObservation } from './service/tracing.js';
import type { AlertEvent } from './streams/events/alert-events.js';
import type { GridEvent } from './streams/events/grid-events.js';
import type { EventStore } from './streams/event-store.js';
import type { LiveFeed } from './streams/live/live-feed.js';
import { Shares } from './streams/shares.js';
import { tracedEventStore } from './tracing/traced-event-store.js';
import { ChartPool } from './threads/chart-pool.js';
import { READ_MODELS_FILE } from './engines/engine-settings.js';
import type { ProjectorApi } from './threads/projector-thread.js';
import type { AccessApi } from './threads/access-thread.js';
import type { DiagnosticsApi } from './threads/diagnostics-thread.js';
import type { ReaderApi } from './threads/reader-thread.js';
import type { Thread } from './threads/thread.js';
import type { Threads } from './threads/threads.js';

/** What the service is made of, by name. Nothing but this file knows the container. */
const PARTS = {
  settings: token<Settings>('settings'),
  log: token<Logger>('log'),
  metrics: token<Metrics>('metrics'),
  feed: token<LiveFeed>('feed'),
  eventStore: token<EventStore>('event store'),
  projector: token<Thread<ProjectorApi>>('projector'),
  reader: token<Thread<ReaderApi>>('reader'),
  lookUps: token<Thread<AccessApi>>('look-ups'),
  diagnostics: token<Thread<DiagnosticsApi>>('diagnostics'),
  standings: token<Standings>('standings'),
  holdings: token<Holdings>('holdings'),
  live: token<LiveHub>('live'),
  access: token<CachedAccess>('access'),
  keyUse: token<KeyUsePolicy>('key use'),
  handleGrid: token<Handle<GridCommand, GridEvent, GridState>>('handle grid'),
  gridCommands: token<GridCommands>('grid commands'),
  grids: token<GridCommands & Showing>('grids'),
  administration: token<AdministrationQueries>('administration'),
  alertRuleCommands: token<AlertRuleCommands>('alert rule commands'),
  chartCommands: token<ChartCommands>('chart commands'),
  assistantCommands: token<AssistantCommands>('assistant commands'),
  speech: token<Speech>('speech'),
  assistant: token<Assistant>('assistant'),
  renderer: token<ChartPool>('renderer'),
  handleAlerts: token<Handle<Observe, AlertEvent>>('handle alerts'),
  developmentIdentity: token<DevelopmentIdentity | undefined>('development identity'),
  endedSessions: token<EndedSessions>('ended sessions'),
  verifyBearer: token<VerifyBearer>('verify bearer'),
  portalSessions: token<PortalSessions | undefined>('portal sessions'),
  backlog: token<Backlog | undefined>('backlog'),
  examiner: token<ExaminerPool>('examiner'),
  selfObservation: token<SelfObservation | undefined>('self-observation'),
  clients: token<Clients>('clients'),
  guard: token<CredentialGuard>('guard'),
  otlpServer: token<OtlpServer>('otlp server'),
} as const;

/** How long the answer to a command waits until what it did shows (contract §6). */
const SHOWN_MS = 2_000;

/** Whose state is kept between two alerts; each is as large as what fires. */
const STREAMS_OF_ALERTS = 1_000;

/** Grids whose charts and dashboards are kept between two commands: their streams hold all other settings too. */
const GRIDS_OF_CHARTS = 100;

/** Pictures that wait for a thread: a second's work of one. */
const PICTURES_WAITING = 32;

function token<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

/** The parts, made and wired. */
export type Parts = { readonly [Name in keyof typeof PARTS]: (typeof PARTS)[Name] extends InjectionToken<infer Part> ? Part : never };

/** What the parts need of the process that they live in. */
export interface Surroundings {
  /** What the ports of ingestion are served with; absent: without TLS. */
  readonly certificate?: ServedCertificate | undefined;
  /** Told when the log cannot go on. */
  readonly onLost: (error: Error) => void;
}

/**
 * Puts the service together on the engines that the settings name: opens the log, and so claims the folder.
 * No other part does I/O before it is used. Rejects with code `unavailable` when another process has the folder.
 */
export async function compose(settings: Settings, log: Logger, threads: Threads, { certificate, onLost }: Surroundings): Promise<Parts> {
  const parts = container.createChildContainer();
  const add = <T>(name: InjectionToken<T>, make: (parts: DependencyContainer) => T) => parts.register(name, { useFactory: instanceCachingFactory(make) });
  const feed = await openFeed(settings, `hindsight ${[...settings.roles].join(',')} ${hostname()}:${process.pid}`, log);
  const metrics = new Metrics();
  parts.registerInstance(PARTS.settings, settings);
  parts.registerInstance(PARTS.log, log);
  parts.registerInstance(PARTS.metrics, metrics);
  parts.registerInstance<LiveFeed>(PARTS.feed, feed);
  parts.registerInstance(PARTS.projector, threads.projector);
  parts.registerInstance(PARTS.reader, threads.reader);
  parts.registerInstance(PARTS.lookUps, threads.access);
  parts.registerInstance(PARTS.diagnostics, threads.diagnostics);
  const eventStore = await openLog(settings, feed, onLost);
  const metered = meteredEventStore(eventStore, metrics);
  const self = await observeSelf(settings, metrics, log);
  add(PARTS.selfObservation, () => self);
  parts.registerInstance(PARTS.eventStore, self === undefined ? metered : tracedEventStore(metered, self.tracer, self.own));
  if (areReadModelsEmbedded(settings)) await checkReadModels(settings, eventStore, log);
  parts.registerInstance(PARTS.standings, standingsOf(settings, threads));
  parts.registerInstance(PARTS.holdings, new Holdings(new Shares(settings.projectorShares)));
  parts.registerInstance(PARTS.speech, await speechOf(settings));
  addIdentity(add, settings, log);
  addAdministration(add, log);
  add(PARTS.live, () => new LiveHub({ hints: feed.hints, diagnostics: threads.diagnostics.api }));
  add(PARTS.renderer, () => new ChartPool({ threads: Math.max(1, availableParallelism() - 1), maxWaiting: PICTURES_WAITING }));
  addCommands(add);
  addAssistant(add, settings, log);
  addIngestion(add, settings, log, certificate);
  return Object.fromEntries(Object.entries<InjectionToken<unknown>>(PARTS).map(([name, each]) => [name, parts.resolve(each)])) as unknown as Parts;
}

/** Read models that cannot be gone on with make way: the projector builds new ones from the log. */
async function checkReadModels({ dataDir }: Settings, eventStore: EventStore, log: Logger): Promise<void> {
  const reason = makeWay(join(dataDir, READ_MODELS_FILE), await eventStore.head());
  if (reason !== undefined) log.warn('the read models are built anew from the log', { reason });
}

/** The projector of this process knows at once; one elsewhere is known by what it has stored. */
function standingsOf(settings: Settings, { projector, access }: Threads): Standings {
  if (areReadModelsEmbedded(settings)) return { whenAt: (projection, position, timeoutMs) => projector.api.whenAt(projection, position, timeoutMs) };
  return storedStandings((projection, gridId) => access.api.position(projection, gridId));
}

/** When commands show in the read models of all these projections. */
export function showingIn(standings: Standings, ...projections: readonly string[]): Showing {
  return {
    async whenAt(position) {
      const reached = await Promise.all(projections.map((projection) => standings.whenAt(projection, position, SHOWN_MS)));
      return reached.every((each) => each);
    },
  };
}

type Add = <T>(name: InjectionToken<T>, make: (parts: DependencyContainer) => T) => void;

function addCommands(add: Add): void {
  const ofGrids: CommandLine = new Map();
  add(PARTS.handleGrid, (parts) => createHandle(parts.resolve(PARTS.eventStore), gridDecider, 0, ofGrids));
  add(PARTS.gridCommands, (parts) => createGridCommands({ handle: parts.resolve(PARTS.handleGrid), mintApiKey, newId: randomUUID, now: Date.now }));
  add(PARTS.alertRuleCommands, (parts) => createAlertRuleCommands({ handle: createHandle(parts.resolve(PARTS.eventStore), alertRulesDecider, 0, ofGrids), newId: randomUUID, now: Date.now }));
  add(PARTS.chartCommands, (parts) => createChartCommands({ handle: createHandle(parts.resolve(PARTS.eventStore), chartsDecider, GRIDS_OF_CHARTS, ofGrids), newId: randomUUID, now: Date.now }));
  add(PARTS.assistantCommands, (parts) => createAssistantCommands({ log: parts.resolve(PARTS.eventStore), newId: randomUUID, now: Date.now, gridLine: ofGrids }));
  add(PARTS.handleAlerts, (parts) => createHandle(parts.resolve(PARTS.eventStore), alertsDecider, STREAMS_OF_ALERTS));
}

/** What is done to Grids also decides who may do what: by the time that it shows, nothing older is remembered, and whoever is out is out. */
function addAdministration(add: Add, log: Logger): void {
  add(PARTS.keyUse, (parts) => new KeyUsePolicy({ log: parts.resolve(PARTS.eventStore), tidying: tidyingOf(parts), logger: log, newId: randomUUID, now: Date.now }));
  add(PARTS.administration, (parts) => withUseOf(parts.resolve(PARTS.lookUps).api, (gridId) => parts.resolve(PARTS.keyUse).of(gridId)));
  add(PARTS.grids, (parts) => {
    const showing = afterShowing(showingIn(parts.resolve(PARTS.standings), 'access', 'audit'), () => {
      parts.resolve(PARTS.access).drop();
      parts.resolve(PARTS.live).review();
    });
    return { ...parts.resolve(PARTS.gridCommands), ...showing };
  });
}

function tidyingOf(parts: DependencyContainer): KeyUseTidying {
  const { api: lookUps } = parts.resolve(PARTS.lookUps);
  const showing = showingIn(parts.resolve(PARTS.standings), 'key-use');
  return new KeyUseTidying({
    log: parts.resolve(PARTS.eventStore),
    // One process tidies for all.
    grids: async () => (parts.resolve(PARTS.holdings).hasAdministration ? lookUps.allGrids() : []),
    stored: (gridId) => lookUps.keyUses(gridId),
    whenAt: (position) => showing.whenAt(position),
    newId: randomUUID,
  });
}

function addAssistant(add: Add, settings: Settings, log: Logger): void {
  add(PARTS.assistant, (parts) => {
    const telemetry = parts.resolve(PARTS.reader).api;
    const diagnostics = parts.resolve(PARTS.diagnostics).api;
    const usage = parts.resolve(PARTS.lookUps).api;
    const answerer = firstAsked(() => answererOver({ telemetry, diagnostics, charts: diagnostics, usage, alerts: diagnostics }, settings, log));
    const commands = shownAccounts(parts.resolve(PARTS.assistantCommands), showingIn(parts.resolve(PARTS.standings), 'usage'));
    return createAssistant({ commands, usage, telemetry, answerer, speech: parts.resolve(PARTS.speech), log, now: Date.now });
  });
}

/** The analyst alone, or behind a language model; loads what it needs. */
async function answererOver(queries: ToolQueries, { llmBaseUrl: baseUrl, llmModel: model, llmApiKey }: Settings, log: Logger): Promise<Answerer> {
  const { createAnalyst } = await import('./assistant/analyst/analyst.js');
  const analyst = createAnalyst(queries);
  if (baseUrl === undefined || model === undefined) return analyst;
  const { EXAMPLES } = await import('./assistant/analyst/misunderstandings.js');
  const { createModelAnswerer } = await import('./assistant/language-model/model-answerer.js');
  const { createOpenAiModel } = await import('./assistant/language-model/adapters/openai/openai-model.js');
  return createModelAnswerer({ model: createOpenAiModel({ baseUrl, model, apiKey: llmApiKey?.reveal() }), tools: TOOLS, queries, fallback: analyst, suggestions: EXAMPLES, log });
}

function speechOf({ speechBaseUrl: baseUrl, speechApiKey, ttsModel, sttModel }: Settings): Promise<Speech> {
  return createSpeech({ baseUrl, apiKey: speechApiKey?.reveal(), ttsModel, sttModel });
}

function addIdentity(add: Add, settings: Settings, log: Logger): void {
  add(PARTS.access, (parts) => new CachedAccess(parts.resolve(PARTS.lookUps).api, { retentionDays: settings.retentionDays, keyUses: parts.resolve(PARTS.keyUse) }));
  add(PARTS.developmentIdentity, () => developmentIdentity(settings, log));
  add(PARTS.endedSessions, (parts) => endedSessions(parts.resolve(PARTS.eventStore), () => parts.resolve(PARTS.live).review(), log));
  add(PARTS.verifyBearer, (parts) => parts.resolve(PARTS.endedSessions).guard(bearerVerifier(settings, log, parts.resolve(PARTS.developmentIdentity))));
  add(PARTS.portalSessions, (parts) => portalSessions(settings, parts.resolve(PARTS.developmentIdentity), parts.resolve(PARTS.endedSessions)));
}

function endedSessions(eventStore: EventStore, onEnded: () => void, log: Logger): EndedSessions {
  const record = createRecordSignOut({ log: eventStore, newId: randomUUID });
  const onUnrecorded = (error: unknown): void => log.error('a sign-out could not be written to the log: until it is, copies of that cookie are refused by this process alone', { error });
  return new EndedSessions({ record, onUnrecorded, onEnded, now: Date.now });
}

/** Undefined where there is no issuer that users could sign in at. */
function portalSessions(settings: Settings, development: DevelopmentIdentity | undefined, ended: EndedSessions): PortalSessions | undefined {
  const place = signInPlace(settings, development);
  if (place === undefined) return undefined;
  const { publicUrl, dataDir, portalClientId, portalClientSecret, portalSessionSecret, portalSignOut } = settings;
  const client = development === undefined ? { clientId: portalClientId, clientSecret: portalClientSecret?.reveal() } : { clientId: development.portalClientId, fetch: development.fetch };
  const key = portalSessionSecret === undefined ? keyInFile(join(dataDir, 'portal-session-key')) : keyFromSecret(portalSessionSecret.reveal());
  return new PortalSessions({ publicUrl, provider: { issuer: place.issuer, ...client }, scope: place.scope, key, users: development?.users ?? [], ended, signsOutAtProvider: portalSignOut === 'provider', now: Date.now });
}

/** Only without a directory, and never in production. */
function developmentIdentity(settings: Settings, log: Logger): DevelopmentIdentity | undefined {
  if (settings.authUrl !== undefined || settings.production) return undefined;
  const { publicUrl, dataDir, authTenantId: tenantId, authAudience: audience, authAppPermission: appPermission } = settings;
  return createDevelopmentIdentity({ publicUrl, tenantId, audience, dataDir, appPermission, onError: (error) => log.error('the development identity provider failed', { error }) });
}

function bearerVerifier(settings: Settings, log: Logger, development: DevelopmentIdentity | undefined): VerifyBearer {
  const { authUrl, authTenantId: tenantId, authAudience: audience, authAppPermission: appPermission } = settings;
  const issuer = development?.issuer ?? (authUrl === undefined ? undefined : issuerOf(authUrl, tenantId));
  if (issuer === undefined) return refuseBearer;
  const fetchKeys = development === undefined ? publishedKeys(issuer) : () => development.jwks();
  return createTokenVerifier({ issuer, tenantId, audience, appPermission, fetchKeys, onRefreshFailure: (error) => log.warn('keys of the issuer cannot be fetched', { issuer, error }) });
}

function addIngestion(add: Add, settings: Settings, log: Logger, certificate: ServedCertificate | undefined): void {
  add(PARTS.clients, () => new Clients(settings.trustedProxies));
  add(PARTS.guard, () => new CredentialGuard({ failuresPerMinute: settings.failedCredentialsPerMinute }));
  add(PARTS.backlog, () => (areReadModelsEmbedded(settings) ? new Backlog() : undefined));
  add(PARTS.examiner, () => new ExaminerPool({ threads: Math.max(1, availableParallelism() - 1), maxWaiting: 1024 }));
  add(PARTS.otlpServer, (parts) =>
    createOtlpServer({
      store: parts.resolve(PARTS.eventStore),
      access: parts.resolve(PARTS.access),
      keyUses: parts.resolve(PARTS.keyUse),
      examiner: parts.resolve(PARTS.examiner),
      backlog: parts.resolve(PARTS.backlog) ?? UNBOUNDED,
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
