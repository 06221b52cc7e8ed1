import { hasCode } from '../errors.js';
import type { AnswerSource } from './answerer.js';
import { type BoundedJson, type ListTruncation, serializeWithinBudget } from './json-truncation.js';
import type { Tool, ToolContext } from './tool.js';

/** What a call came to. Only `answered` has consulted data. */
export type ToolCallOutcome =
  /** `text`: one line of JSON, and below it a line for each list that was cut: `truncated, next = …`. */
  | { readonly kind: 'answered'; readonly text: string; readonly source: AnswerSource }
  /** Asked, and there is nothing; or not asked, since the arguments were wrong. In words that whoever called can act on. */
  | { readonly kind: 'missing' | 'refused'; readonly text: string };

/** A tool for somebody outside: a language model, an agent. What they get has a bounded size, and nothing they send is trusted. */
export interface ExternalTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema: that of the tool, and `next`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Rejects where the query fails. `given` may be anything. */
  call(context: ToolContext, given: unknown, mostBytes: number): Promise<ToolCallOutcome>;
}

const NEXT_PARAMETER = {
  type: 'string',
  maxLength: 512,
  description: 'Where an answer was cut: what it gave as next.',
};

/** Bytes of the lines about cut lists: answers have a few lists, with short names. */
const NOTES_BYTES = 2_048;

export function createExternalTool(tool: Tool): ExternalTool {
  const { name, description, parameters } = tool;
  return {
    name,
    description,
    parameters: { ...parameters, properties: { ...(parameters['properties'] as object), next: NEXT_PARAMETER } },
    async call(context, given, mostBytes) {
      if (!isObject(given)) return refusedOutcome('The arguments must be an object.');
      const { next, ...rest } = given;
      if (next !== undefined && typeof next !== 'string')
        return refusedOutcome('next must be what an earlier answer gave as next.');
      const fault = tool.faultsIn(rest);
      if (fault !== undefined) return refusedOutcome(fault);
      return runToolCall(() => tool.run(context, rest), mostBytes, next);
    },
  };
}

async function runToolCall(
  run: () => ReturnType<Tool['run']>,
  mostBytes: number,
  next: string | undefined,
): Promise<ToolCallOutcome> {
  try {
    const { data, source } = await run();
    const bounded = serializeWithinBudget(data, mostBytes - NOTES_BYTES, next);
    if (bounded === undefined)
      return {
        kind: 'missing',
        text: 'next leads nowhere: it must be what an earlier answer gave, with the same other arguments.',
      };
    return { kind: 'answered', text: formatAnswer(bounded), source };
  } catch (error) {
    // By code, not by class: queries run on other threads. Anything else is a failure.
    if (hasCode(error, 'not-found')) return { kind: 'missing', text: (error as Error).message };
    if (hasCode(error, 'invalid-request')) return refusedOutcome((error as Error).message);
    throw error;
  }
}

function formatAnswer({ json, cuts }: BoundedJson): string {
  return [json, ...cuts.map(formatCutNote)].join('\n');
}

function formatCutNote({ list, from, to, of, next }: ListTruncation): string {
  return `truncated, next = ${JSON.stringify(next)} (${list}: ${from + 1} to ${to} of ${of})`;
}

function refusedOutcome(text: string): ToolCallOutcome {
  return { kind: 'refused', text };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
