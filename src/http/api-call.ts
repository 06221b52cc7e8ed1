import type { Assistant } from '../assistant/assistant.js';
import type { Principal } from '../auth/principal.js';
import type { ChartRenderer } from '../charts/render-options.js';
import type { AlertRuleCommands } from '../commands/alert-rules/alert-rule-commands.js';
import type { AssistantCommands } from '../commands/assistant/assistant-commands.js';
import type { ChartCommands } from '../commands/charts/chart-commands.js';
import type { GridCommands } from '../commands/grids/grid-commands.js';
import type { SloCommands } from '../commands/slos/slo-commands.js';
import type { ErrorGroupCommands } from '../commands/error-groups/error-group-commands.js';
import type { ViewCommands } from '../commands/views/view-commands.js';
import type { IncidentCommands } from '../commands/incidents/incident-commands.js';
import type { NotificationCommands } from '../commands/notifications/notification-commands.js';
import type { VisibilityWaiter } from '../commands/read-your-writes.js';
import type { AdministrationQueries } from '../queries/administration/administration-query-types.js';
import type { ChartQueries } from '../queries/charts/chart-query-types.js';
import type { DiagnosticsQueries } from '../queries/diagnostics/diagnostics-query-types.js';
import type { IncidentDetailQueries } from '../queries/incidents/incident-details.js';
import type { NotificationQueries } from '../queries/notifications/notification-queries.js';
import type { RecordRuleQueries } from '../queries/alerting/record-rule-queries.js';
import type { TelemetryQueries } from '../queries/telemetry/telemetry-query-types.js';
import type { SloQueries } from '../queries/slos/slo-query-types.js';
import type { ViewQueries } from '../queries/views/view-queries.js';
import type { UsageQueries } from '../queries/usage/usage-query-types.js';
import type { LiveTopic } from '../read-models/documents/live-diagnostics-documents.js';
import type { IfMatchCondition } from './requests/request-headers.js';
import type { StreamingResponse } from './responses/api-responses.js';

/** Commands, with a way to wait until their effects are visible to queries. */
export type GridPort = GridCommands & VisibilityWaiter;
export type AlertRulePort = AlertRuleCommands & VisibilityWaiter;
export type IncidentPort = IncidentCommands & VisibilityWaiter;
export type NotificationPort = NotificationCommands & VisibilityWaiter;
export type ChartPort = ChartCommands & VisibilityWaiter;
export type SloPort = SloCommands & VisibilityWaiter;
export type ErrorGroupPort = ErrorGroupCommands & VisibilityWaiter;
export type ViewPort = ViewCommands & VisibilityWaiter;
export type AssistantPort = AssistantCommands & VisibilityWaiter;

/** Everything that route handlers may use: the queries and commands behind the API. */
export interface ApiPorts {
  readonly assistant: Assistant;
  readonly assistantCommands: AssistantPort;
  readonly usage: UsageQueries;
  readonly grids: GridPort;
  readonly administration: AdministrationQueries;
  /** The RETENTION_DAYS setting, for Grids without a retention of their own. Days; 0: unlimited. */
  readonly defaultRetentionDays: number;
  readonly alertRules: AlertRulePort;
  readonly notificationCommands: NotificationPort;
  readonly notifications: NotificationQueries;
  readonly incidentCommands: IncidentPort;
  readonly incidents: IncidentDetailQueries;
  readonly chartCommands: ChartPort;
  readonly errorGroupCommands: ErrorGroupPort;
  readonly viewCommands: ViewPort;
  readonly views: ViewQueries;
  readonly sloCommands: SloPort;
  /** Without those that only policies ask. */
  readonly slos: Omit<SloQueries, 'allSlos' | 'evaluateSlo' | 'countNewEvents'>;
  readonly telemetry: TelemetryQueries;
  readonly diagnostics: DiagnosticsQueries;
  readonly recordRules: Pick<RecordRuleQueries, 'backtestRecordRule'>;
  readonly charts: ChartQueries;
  readonly renderer: ChartRenderer;
  readonly live: LiveStreams;
}

/** Opens streams of live diagnostics. */
export interface LiveStreams {
  /**
   * Resolves at once. The response sends the current state of the topics, then every change, until the client disconnects,
   * the authorization becomes invalid or the service stops.
   */
  follow(gridId: string, topics: readonly LiveTopic[], authorization: StreamAuthorization): Promise<StreamingResponse>;
}

/** Whether the request of a response that stays open would still be authorized. */
export interface StreamAuthorization {
  /** Equal for equal credentials in the same Grid, so that one check covers all their streams. A digest: reveals no credentials. */
  credentialKey(): string;
  /**
   * False once the key is revoked or regenerated, the token has expired, the membership or its role is gone, or the
   * subscription is inactive. Rejects with code `unavailable` while this cannot be determined.
   */
  isValid(): Promise<boolean>;
}

/** An active assistant session of the caller. */
export interface AssistantInstance {
  readonly instanceId: string;
  readonly gridId: string;
}

/** A call that has passed every request step: the caller, and the validated and typed input. */
export interface ApiCall<Params, Query, Body> {
  readonly principal: Principal;
  /** Whether the caller is Member or Owner of the Grid and no API key; false for operations without a Grid. */
  readonly mayAdminister: boolean;
  /** Decoded; any characters. `gridSecondaryId` is a UUID in lower case. */
  readonly params: Params;
  /** Present exactly for routes with `grid: 'instance'`. */
  readonly instance?: AssistantInstance;
  readonly query: Query;
  readonly body: Body;
  /** The upload for the `file` of the route; empty if the route has none. */
  readonly file: Uint8Array;
  /** The If-Match header; absent if the caller sent none or the route is not `tagged`. */
  readonly condition?: IfMatchCondition | undefined;
  /** For responses that stay open. */
  readonly authorization: StreamAuthorization;
  /** When the call was accepted, ms since 1970. */
  readonly nowMs: number;
  /** Aborted when nobody waits for the response any more: the client has disconnected, or the time limit has passed. */
  readonly signal: AbortSignal;
}
