import type { Tool, ToolQueries } from '../tool.js';
import { argumentsOf, required, text, type Fields } from './arguments.js';
import { found } from './found.js';
import { hexId } from './search.js';

export interface TraceIdArguments {
  readonly traceId: string;
}

export interface SpanIdArguments {
  readonly spanId: string;
}

interface Looked<Answer, Data extends object> {
  readonly name: string;
  readonly description: string;
  readonly ask: (telemetry: ToolQueries['telemetry'], gridId: string, id: string) => Promise<Answer | undefined>;
  readonly present: (answer: Answer, id: string) => Data;
  readonly source: (data: Data) => { readonly type: string; readonly description: string; readonly traceCount?: number };
}

const TRACE: Fields<TraceIdArguments> = { traceId: required(text('Id of the trace, in hex.')) };
const SPAN: Fields<SpanIdArguments> = { spanId: required(text('Id of the span, in hex.')) };

/** A tool that looks something up by the id of a trace. Rejects with `not-found`. */
export function traceTool<Answer, Data extends object>({ name, description, ask, present, source }: Looked<Answer, Data>): Tool<TraceIdArguments, Data> {
  return {
    name,
    description,
    ...argumentsOf(TRACE),
    async run({ queries, gridId }, { traceId }) {
      const data = present(found(await ask(queries.telemetry, gridId, hexId(traceId)), 'trace of this id'), hexId(traceId));
      return { data, source: { traceCount: 1, ...source(data) } };
    },
  };
}

/** The same by the id of a span. */
export function spanTool<Answer, Data extends object>({ name, description, ask, present, source }: Looked<Answer, Data>): Tool<SpanIdArguments, Data> {
  return {
    name,
    description,
    ...argumentsOf(SPAN),
    async run({ queries, gridId }, { spanId }) {
      const data = present(found(await ask(queries.telemetry, gridId, hexId(spanId)), 'span of this id'), hexId(spanId));
      return { data, source: source(data) };
    },
  };
}
