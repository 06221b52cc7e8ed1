import type { AnswerSource } from '../answerer.js';
import type { ApiOperation, Tool, ToolContext, ToolQueries } from '../tool.js';
import { type ArgumentFields, defineArguments, requiredField, textField } from './tool-arguments.js';
import type { TimeSelection } from '../../diagnostics/time-windows.js';
import { type IsoTimestamped, toIsoTimestamped } from './result-serialization.js';
import {
  describeWindowArguments,
  findWindowFault,
  normalizeHexId,
  toQueryTime,
  WINDOW_FIELDS,
  type WindowArguments,
} from './window-arguments.js';
import { HindsightError } from '../../errors.js';

export type NoArguments = Readonly<Record<never, never>>;

/** A read of the API. */
export function readOperation(path: string): ApiOperation {
  return { method: 'GET', path };
}

interface ParameterlessToolDefinition<Data extends object> {
  readonly name: string;
  readonly description: string;
  readonly forAdministrators?: true;
  /** Its path in the API; absent if the tool combines several operations. */
  readonly path?: string;
  readonly ask: (context: ToolContext) => Promise<Data>;
  readonly source: (data: Data) => AnswerSource;
}

/** A tool without arguments. */
export function createParameterlessTool<Data extends object>({
  name,
  description,
  forAdministrators,
  path,
  ask,
  source,
}: ParameterlessToolDefinition<Data>): Tool<NoArguments, Data> {
  return {
    name,
    description,
    ...(forAdministrators && { forAdministrators }),
    ...(path !== undefined && { api: readOperation(path) }),
    ...defineArguments<NoArguments>({}),
    async run(context) {
      const data = await ask(context);
      return { data, source: source(data) };
    },
  };
}

interface DiagnosticToolDefinition<Answer> {
  readonly name: string;
  /** The last part of its path in the API. */
  readonly path: string;
  readonly description: string;
  readonly ask: (queries: ToolQueries['diagnostics'], gridId: string, when: TimeSelection) => Promise<Answer>;
  /** Type of the source, and a description of how much was found. */
  readonly source: (answer: Answer) => Omit<AnswerSource, 'description'> & { readonly found: string };
  /** Describes the default window if the arguments contain none. */
  readonly window?: (args: WindowArguments) => string;
}

/** A tool for a diagnostic query that takes only a time or a window; the result is in `answer`. */
export function createDiagnosticTool<Answer>({
  name,
  path,
  description,
  ask,
  source,
  window = describeWindowArguments,
}: DiagnosticToolDefinition<Answer>): Tool<WindowArguments, { readonly answer: IsoTimestamped<Answer> }> {
  return {
    name,
    description,
    api: readOperation(`/apm/diagnostics/{gridSecondaryId}/${path}`),
    ...defineArguments(WINDOW_FIELDS, findWindowFault),
    async run({ queries, gridId }, args) {
      const answer = await ask(queries.diagnostics, gridId, toQueryTime(args));
      const { found, ...rest } = source(answer);
      return {
        data: { answer: toIsoTimestamped(answer) },
        source: { ...rest, description: `${found}, ${window(args)}` },
      };
    },
  };
}

interface TraceIdArguments {
  readonly traceId: string;
}

interface SpanIdArguments {
  readonly spanId: string;
}

interface LookupToolDefinition<Answer, Data extends object> {
  readonly name: string;
  /** Path below that of traces in the API. */
  readonly path: string;
  readonly description: string;
  readonly ask: (telemetry: ToolQueries['telemetry'], gridId: string, id: string) => Promise<Answer | undefined>;
  readonly present: (answer: Answer, id: string) => Data;
  readonly source: (data: Data) => {
    readonly type: string;
    readonly description: string;
    readonly traceCount?: number;
  };
}

const TRACE_ID_FIELDS: ArgumentFields<TraceIdArguments> = {
  traceId: requiredField(textField('Id of the trace, in hex.')),
};
const SPAN_ID_FIELDS: ArgumentFields<SpanIdArguments> = { spanId: requiredField(textField('Id of the span, in hex.')) };

/** A tool that looks up something by trace id. Rejects with `not-found`. */
export function createTraceTool<Answer, Data extends object>({
  name,
  path,
  description,
  ask,
  present,
  source,
}: LookupToolDefinition<Answer, Data>): Tool<TraceIdArguments, Data> {
  return {
    name,
    description,
    api: readOperation(`/apm/traces/{gridSecondaryId}/${path}`),
    ...defineArguments(TRACE_ID_FIELDS),
    async run({ queries, gridId }, { traceId }) {
      const data = present(
        requireFound(await ask(queries.telemetry, gridId, normalizeHexId(traceId)), 'trace of this id'),
        normalizeHexId(traceId),
      );
      return { data, source: { traceCount: 1, ...source(data) } };
    },
  };
}

/** A tool that looks up something by span id. Rejects with `not-found`. */
export function createSpanTool<Answer, Data extends object>({
  name,
  path,
  description,
  ask,
  present,
  source,
}: LookupToolDefinition<Answer, Data>): Tool<SpanIdArguments, Data> {
  return {
    name,
    description,
    api: readOperation(`/apm/traces/{gridSecondaryId}/${path}`),
    ...defineArguments(SPAN_ID_FIELDS),
    async run({ queries, gridId }, { spanId }) {
      const data = present(
        requireFound(await ask(queries.telemetry, gridId, normalizeHexId(spanId)), 'span of this id'),
        normalizeHexId(spanId),
      );
      return { data, source: source(data) };
    },
  };
}

/** Returns the result, or throws `not-found` if it is undefined. */
export function requireFound<Answer>(answer: Answer | undefined, what: string): Answer {
  if (answer === undefined) throw new HindsightError('not-found', `No ${what} was found in the Grid.`);
  return answer;
}

/** `1 service`, `2 services`, `no services`. */
export function formatCountOrNone(count: number, one: string, several = `${one}s`): string {
  return `${count === 0 ? 'no' : count} ${count === 1 ? one : several}`;
}
