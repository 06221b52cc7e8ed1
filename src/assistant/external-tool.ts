import { hasCode } from '../errors.js';
import type { AnswerSource } from './answerer.js';
import { type BoundedJson, type ListTruncation, serializeWithinBudget } from './json-truncation.js';
import { formatApiQuery } from './api-query.js';
import { isToolPermitted, type Tool, type ToolContext } from './tool.js';

/** Result of a tool call. Only `answered` has used a data source. */
export type ToolCallOutcome =
  /** `text`: one line of JSON, followed by a line for each truncated list: `truncated, next = …`. */
  | { readonly kind: 'answered'; readonly text: string; readonly source: AnswerSource }
  /**
   * `missing`: the query found nothing; `refused`: the arguments were invalid, or the caller may not call the tool. The
   * text says what the caller must change.
   */
  | { readonly kind: 'missing' | 'refused'; readonly text: string };

/** A tool for external callers: a language model or an agent. Limits the size of results, and validates all input. */
export interface ExternalTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the tool, plus `next`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly forAdministrators?: true;
  /** A call as one would send it to the API; see formatApiQuery. */
  formatQuery(args: object, gridId: string): string;
  /** Rejects if the query fails. `given` is unvalidated input. */
  call(context: ToolContext, args: unknown, maxBytes: number): Promise<ToolCallOutcome>;
}

const NEXT_PARAMETER = {
  type: 'string',
  maxLength: 512,
  description: 'Where an answer was cut: what it gave as next.',
};

/** Bytes reserved for the lines about truncated lists, which are few and have short names. */
const NOTES_BYTES = 2_048;

export function createExternalTool(tool: Tool): ExternalTool {
  const { name, description, parameters, forAdministrators } = tool;
  return {
    name,
    description,
    parameters: { ...parameters, properties: { ...(parameters['properties'] as object), next: NEXT_PARAMETER } },
    ...(forAdministrators && { forAdministrators }),
    formatQuery: (args, gridId) => formatApiQuery(tool, { ...args, next: undefined }, gridId),
    async call(context, args, maxBytes) {
      if (!isToolPermitted(tool, context)) return refusedOutcome(formatRoleRefusal(name));
      if (!isObject(args)) return refusedOutcome('The arguments must be an object.');
      const { next, ...rest } = args;
      if (next !== undefined && typeof next !== 'string')
        return refusedOutcome('next must be what an earlier answer gave as next.');
      const fault = tool.validate(rest);
      if (fault !== undefined) return refusedOutcome(fault);
      return runToolCall(() => tool.run(context, rest), maxBytes, next);
    },
  };
}

async function runToolCall(
  run: () => ReturnType<Tool['run']>,
  maxBytes: number,
  next: string | undefined,
): Promise<ToolCallOutcome> {
  try {
    const { data, source } = await run();
    const bounded = serializeWithinBudget(data, maxBytes - NOTES_BYTES, next);
    if (bounded === undefined)
      return {
        kind: 'missing',
        text: 'Invalid value of next: it must be what an earlier answer gave, with the same other arguments.',
      };
    return { kind: 'answered', text: formatAnswer(bounded), source };
  } catch (error) {
    // Checked by code, not by class, because queries run on other threads. Other errors are failures.
    if (hasCode(error, 'not-found')) return { kind: 'missing', text: (error as Error).message };
    if (hasCode(error, 'invalid-request')) return refusedOutcome((error as Error).message);
    throw error;
  }
}

function formatAnswer({ json, truncations }: BoundedJson): string {
  return [json, ...truncations.map(formatCutNote)].join('\n');
}

function formatCutNote({ list, from, to, of, next }: ListTruncation): string {
  return `truncated, next = ${JSON.stringify(next)} (${list}: ${from + 1} to ${to} of ${of})`;
}

function formatRoleRefusal(name: string): string {
  return `${name} requires the role Member or Owner in the Grid and cannot be called with an API key.`;
}

function refusedOutcome(text: string): ToolCallOutcome {
  return { kind: 'refused', text };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
