import type { AlertQueries } from '../queries/diagnostics/alert-queries.js';
import type { TelemetryQueries } from '../queries/telemetry/telemetry-query-types.js';
import type { UsageQueries } from '../queries/usage/usage-query-types.js';
import type { ChartQueries } from '../queries/charts/chart-query-types.js';
import type { DiagnosticsQueries } from '../queries/diagnostics/diagnostics-query-types.js';
import type { AnswerSource } from './answerer.js';

/** Everything that tools may ask. Nothing here changes anything. */
export interface ToolQueries {
  readonly diagnostics: Omit<DiagnosticsQueries, 'evaluations' | 'gridsWithRecentTelemetry' | 'liveDocument'>;
  readonly telemetry: TelemetryQueries;
  readonly charts: ChartQueries;
  readonly usage: UsageQueries;
  readonly alerts: Pick<AlertQueries, 'alertRules'>;
}

/** Whose Grid it is, who asks, and when. A tool sees no other Grid: the id is no argument of any. */
export interface ToolContext {
  readonly queries: ToolQueries;
  readonly gridId: string;
  readonly userId: string;
  /** ms since 1970. */
  readonly nowMs: number;
}

export interface ToolResult<Data extends object = object> {
  /** What the query answered: the numbers that the API gives. */
  readonly data: Data;
  readonly source: AnswerSource;
}

/** A read-only question with arguments as a JSON schema describes them: for the analyst, a language model and MCP alike. */
export interface Tool<Arguments extends object = object, Data extends object = object> {
  /** As agents know it, such as `GetSystemHealth`. */
  readonly name: string;
  /** For whoever chooses among tools, in two sentences at most. */
  readonly description: string;
  /** JSON schema of the arguments: an object without other members. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Faults of arguments, in words that whoever sent them can act on; undefined where there are none. */
  faultsIn(given: unknown): string | undefined;
  run(context: ToolContext, given: Arguments): Promise<ToolResult<Data>>;
}
