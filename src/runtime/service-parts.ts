import type { DependencyContainer, InjectionToken } from 'tsyringe';
import type { Assistant } from '../assistant/assistant.js';
import type { SpeechEngines } from '../assistant/speech/speech-engines.js';
import type { AccessControl } from '../auth/access-control.js';
import type { DevelopmentIdentityProvider } from '../auth/development/development-identity-provider.js';
import type { EndedSessions } from '../auth/portal/ended-sessions.js';
import type { PortalSessions } from '../auth/portal/portal-sessions.js';
import type { TokenMembers } from '../auth/token-members.js';
import type { VerifyBearer } from '../auth/tokens/token-verifier.js';
import type { AlertRuleCommands } from '../commands/alert-rules/alert-rule-commands.js';
import type { AlertCommand, AlertsState } from '../commands/alerts/alert-decider.js';
import type { AssistantCommands } from '../commands/assistant/assistant-commands.js';
import type { RecordEventCounts } from '../commands/slos/event-count-decider.js';
import type { SloCommands } from '../commands/slos/slo-commands.js';
import type { ErrorGroupCommands } from '../commands/error-groups/error-group-commands.js';
import type { ViewCommands } from '../commands/views/view-commands.js';
import type { ChartCommands } from '../commands/charts/chart-commands.js';
import type { GridCommand } from '../commands/grids/grid-command-types.js';
import type { GridCommands } from '../commands/grids/grid-commands.js';
import type { GridState } from '../commands/grids/grid-decider.js';
import type { CommandHandler } from '../commands/handle-command.js';
import type { IncidentCommands } from '../commands/incidents/incident-commands.js';
import type { IncidentCommand } from '../commands/incidents/incident-decider.js';
import type { IncidentsState } from '../commands/incidents/incident-state.js';
import type { IncidentEvent } from '../streams/events/incident-events.js';
import type { NotificationCommands } from '../commands/notifications/notification-commands.js';
import type { NotificationCommand } from '../commands/notifications/notification-decider.js';
import type {
  NotificationSettings,
  NotificationSettingsCommand,
} from '../commands/notifications/notification-settings-decider.js';
import type { NotificationState } from '../commands/notifications/notification-state.js';
import type { VisibilityWaiter } from '../commands/read-your-writes.js';
import type { Settings } from '../config/settings.js';
import type { ClosedConnectionLog } from '../http/connection/closed-connection-log.js';
import type { ClientResolver } from '../http/connection/client-resolver.js';

import type { CredentialGuard } from '../http/limits/credential-guard.js';
import type { LiveStreamHub } from '../http/live/live-stream-hub.js';
import type { ExportValidatorPool } from '../http/otlp/export-validator-pool.js';
import type { IngestBacklog } from '../http/otlp/ingest-backlog.js';
import type { OtlpServer } from '../http/otlp/otlp-server.js';
import type { EventLogScrub } from '../policies/event-log-scrub.js';
import type { ApiKeyUsagePolicy } from '../policies/api-key-usage-policy.js';
import type { RetentionClock } from '../policies/retention-clock.js';
import type { LinkAcknowledgements } from '../commands/notifications/link-acknowledgement.js';
import type { AcknowledgementLinks } from '../notifications/acknowledgement-links.js';
import type { ChannelSecrets } from '../notifications/channel-secrets.js';
import type { ProjectionProgress } from '../projections/engine/stored-projection-progress.js';
import type { AdministrationQueries } from '../queries/administration/administration-query-types.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { PrometheusMetrics } from '../self-telemetry/prometheus-metrics.js';
import type { EventStore } from '../streams/event-store.js';
import type { AlertEvent } from '../streams/events/alert-events.js';
import type { GridEvent } from '../streams/events/grid-events.js';
import type { SloEventsCounted } from '../streams/events/slo-events.js';
import type { LiveFeed } from '../streams/live/live-feed.js';
import type { AccessLogFollower } from './access-log-follower.js';
import type { SelfTelemetry } from './compose-self-telemetry.js';
import type { OwnedShards } from './owned-shards.js';
import type { AccessApi } from './threads/access-thread.js';
import type { ChartRenderPool } from './threads/chart-render-pool.js';
import type { DiagnosticsApi } from './threads/diagnostics-thread.js';
import type { ProjectorApi } from './threads/projector-thread.js';
import type { ReaderApi } from './threads/reader-thread.js';
import type { WorkerThread } from './threads/worker-thread.js';

/** Tokens of all parts of the service in the dependency container, which no file but the composition uses. */
export const PARTS = {
  settings: createToken<Settings>('settings'),
  log: createToken<Logger>('log'),
  metrics: createToken<PrometheusMetrics>('metrics'),
  selfTelemetry: createToken<SelfTelemetry | undefined>('self-telemetry'),
  feed: createToken<LiveFeed>('feed'),
  eventStore: createToken<EventStore>('event store'),
  /** Absent if the log is remote: its server checks it. */
  logScrub: createToken<EventLogScrub | undefined>('event log scrub'),
  projector: createToken<WorkerThread<ProjectorApi>>('projector thread'),
  reader: createToken<WorkerThread<ReaderApi>>('reader thread'),
  accessThread: createToken<WorkerThread<AccessApi>>('access thread'),
  diagnostics: createToken<WorkerThread<DiagnosticsApi>>('diagnostics thread'),
  progress: createToken<ProjectionProgress>('projection progress'),
  ownedShards: createToken<OwnedShards>('owned shards'),
  retentionClock: createToken<RetentionClock>('retention clock'),
  live: createToken<LiveStreamHub>('live streams'),
  accessLog: createToken<AccessLogFollower>('access log'),
  access: createToken<AccessControl>('access control'),
  keyUsage: createToken<ApiKeyUsagePolicy>('API key usage'),
  handleGridCommand: createToken<CommandHandler<GridCommand, GridEvent, GridState>>('Grid command handler'),
  /** Return once the event is appended. */
  gridCommands: createToken<GridCommands>('Grid commands'),
  /** The same commands, and how to wait until their effect is visible to readers. */
  grids: createToken<GridCommands & VisibilityWaiter>('Grids'),
  administration: createToken<AdministrationQueries>('administration queries'),
  alertRuleCommands: createToken<AlertRuleCommands>('alert rule commands'),
  chartCommands: createToken<ChartCommands>('chart commands'),
  viewCommands: createToken<ViewCommands>('view commands'),
  errorGroupCommands: createToken<ErrorGroupCommands>('error group commands'),
  sloCommands: createToken<SloCommands>('objective commands'),
  handleEventCounts: createToken<CommandHandler<RecordEventCounts, SloEventsCounted>>('event count handler'),
  assistantCommands: createToken<AssistantCommands>('assistant commands'),
  handleAlertCommand: createToken<CommandHandler<AlertCommand, AlertEvent, AlertsState>>('alert command handler'),
  handleNotificationSettings: createToken<CommandHandler<NotificationSettingsCommand, unknown, NotificationSettings>>(
    'notification settings handler',
  ),
  handleNotificationCommand:
    createToken<CommandHandler<NotificationCommand, unknown, NotificationState>>('notification command handler'),
  handleIncidentCommand:
    createToken<CommandHandler<IncidentCommand, IncidentEvent, IncidentsState>>('incident command handler'),
  incidentCommands: createToken<IncidentCommands>('incident commands'),
  channelSecrets: createToken<ChannelSecrets>('channel secrets'),
  acknowledgementLinks: createToken<AcknowledgementLinks>('acknowledgement links'),
  linkAcknowledgements: createToken<LinkAcknowledgements>('acknowledgements by links'),
  notificationCommands: createToken<NotificationCommands>('notification commands'),
  speech: createToken<SpeechEngines>('speech'),
  assistant: createToken<Assistant>('assistant'),
  renderer: createToken<ChartRenderPool>('chart renderer'),
  developmentIdentity: createToken<DevelopmentIdentityProvider | undefined>('development identity provider'),
  endedSessions: createToken<EndedSessions>('ended sessions'),
  verifyBearer: createToken<VerifyBearer>('bearer token verifier'),
  tokenMembers: createToken<TokenMembers>('members by token'),
  portalSessions: createToken<PortalSessions | undefined>('portal sessions'),
  backlog: createToken<IngestBacklog | undefined>('ingest backlog'),
  validatorPool: createToken<ExportValidatorPool>('export validator pool'),
  clientResolver: createToken<ClientResolver>('client resolver'),
  closedConnections: createToken<ClosedConnectionLog>('closed connections'),
  credentialGuard: createToken<CredentialGuard>('credential guard'),
  otlpServer: createToken<OtlpServer>('OTLP server'),
} as const;

function createToken<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

/** All parts of the service, created and wired, by the names of their tokens. */
export type ServiceParts = {
  readonly [Name in keyof typeof PARTS]: (typeof PARTS)[Name] extends InjectionToken<infer Part> ? Part : never;
};

/** Registers the factory of one part. It runs once, when the part is first resolved. */
export type RegisterPart = <T>(token: InjectionToken<T>, create: (parts: DependencyContainer) => T) => void;
