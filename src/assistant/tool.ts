import type { AlertQueries } from '../queries/diagnostics/alert-queries.js';
import type { TelemetryQueries } from '../queries/telemetry/telemetry-query-types.js';
import type { UsageQueries } from '../queries/usage/usage-query-types.js';
import type { ChartQueries } from '../queries/charts/chart-query-types.js';
import type { IncidentDetailQueries } from '../queries/incidents/incident-details.js';
import type { DiagnosticsQueries } from '../queries/diagnostics/diagnostics-query-types.js';
import type { NotificationQueries } from '../queries/notifications/notification-queries.js';
import type { SloQueries } from '../queries/slos/slo-query-types.js';
import type { AnswerSource } from './answerer.js';

/** The read-only queries that tools may use. */
export interface ToolQueries {
  readonly diagnostics: Omit<
    DiagnosticsQueries,
    'evaluations' | 'gridsWithRecentTelemetry' | 'liveDocument' | 'recentDiagnosis'
  >;
  readonly telemetry: TelemetryQueries;
  readonly charts: ChartQueries;
  readonly usage: UsageQueries;
  readonly incidents: IncidentDetailQueries;
  readonly alerts: Pick<AlertQueries, 'alertRules'>;
  readonly slos: Pick<SloQueries, 'assessSlos' | 'sloReport'>;
  readonly notifications: Pick<NotificationQueries, 'silences'>;
}

/** The Grid, the caller, and the time. Tools never take a Grid id as argument, so they cannot access other Grids. */
export interface ToolContext {
  readonly queries: ToolQueries;
  readonly gridId: string;
  /** The user whose usage of the assistant the tools report. */
  readonly userId: string;
  /** Whether the caller may read what only Members and Owners administer; never true for API keys. */
  readonly mayAdminister: boolean;
  /** ms since 1970. */
  readonly nowMs: number;
}

export interface ToolResult<Data extends object = object> {
  /** The query's result: the same numbers as in the API. */
  readonly data: Data;
  readonly source: AnswerSource;
}

/** Whether the caller may call the tool. */
export function isToolPermitted(
  { forAdministrators }: Pick<Tool, 'forAdministrators'>,
  { mayAdminister }: Pick<ToolContext, 'mayAdminister'>,
): boolean {
  return forAdministrators !== true || mayAdminister;
}

/** An operation of the API whose parameters have the names of the tool's arguments. */
export interface ApiOperation {
  readonly method: 'GET' | 'POST';
  /** With parameters in braces: `{gridSecondaryId}`, and arguments of the tool. */
  readonly path: string;
}

/** A read-only query whose arguments are described by a JSON schema; used by the analyst, language models and MCP. */
export interface Tool<Arguments extends object = object, Data extends object = object> {
  /** Public name, such as `GetSystemHealth`. */
  readonly name: string;
  /** Helps callers to choose a tool; at most two sentences. */
  readonly description: string;
  /** The operation of the API that returns the same; absent if the tool combines several. */
  readonly api?: ApiOperation;
  /** JSON schema of the arguments: an object without additional members. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * True: only for Members and Owners of the Grid, not for API keys, as the operation of the API that answers the same
   * question. Callers of `run` MUST check it with `isToolPermitted`.
   */
  readonly forAdministrators?: true;
  /** Describes invalid arguments so that callers can correct them; undefined if they are valid. */
  validate(args: unknown): string | undefined;
  run(context: ToolContext, args: Arguments): Promise<ToolResult<Data>>;
}
