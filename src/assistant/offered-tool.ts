import { hasCode } from '../errors.js';
import type { Source } from './answer.js';
import { boundedData, type BoundedData } from './bounded-data.js';
import type { Cut } from './fitted.js';
import type { Tool, ToolContext } from './tool.js';

/** What a call came to. Only `answered` has consulted data. */
export type Outcome =
  /** `text`: one line of JSON, and below it a line for each list that was cut: `truncated, next = …`. */
  | { readonly kind: 'answered'; readonly text: string; readonly source: Source }
  /** Asked, and there is nothing; or not asked, since the arguments were wrong. In words that whoever called can act on. */
  | { readonly kind: 'missing' | 'refused'; readonly text: string };

/** A tool for somebody outside: a language model, an agent. What they get has a bounded size, and nothing they send is trusted. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema: that of the tool, and `next`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Rejects where the query fails. `given` may be anything. */
  call(context: ToolContext, given: unknown, mostBytes: number): Promise<Outcome>;
}

const NEXT = { type: 'string', maxLength: 512, description: 'Where an answer was cut: what it gave as next.' };

/** Bytes of the lines about cut lists: answers have a few lists, with short names. */
const NOTES_BYTES = 2_048;

export function offeredTool(tool: Tool): OfferedTool {
  const { name, description, parameters } = tool;
  return {
    name,
    description,
    parameters: { ...parameters, properties: { ...(parameters['properties'] as object), next: NEXT } },
    async call(context, given, mostBytes) {
      if (!isObject(given)) return refused('The arguments must be an object.');
      const { next, ...rest } = given;
      if (next !== undefined && typeof next !== 'string') return refused('next must be what an earlier answer gave as next.');
      const fault = tool.faultsIn(rest);
      if (fault !== undefined) return refused(fault);
      return answered(() => tool.run(context, rest), mostBytes, next);
    },
  };
}

async function answered(run: () => ReturnType<Tool['run']>, mostBytes: number, next: string | undefined): Promise<Outcome> {
  try {
    const { data, source } = await run();
    const bounded = boundedData(data, mostBytes - NOTES_BYTES, next);
    if (bounded === undefined) return { kind: 'missing', text: 'next leads nowhere: it must be what an earlier answer gave, with the same other arguments.' };
    return { kind: 'answered', text: textOf(bounded), source };
  } catch (error) {
    // By code, not by class: queries run on other threads. Anything else is a failure.
    if (hasCode(error, 'not-found')) return { kind: 'missing', text: (error as Error).message };
    if (hasCode(error, 'invalid-request')) return refused((error as Error).message);
    throw error;
  }
}

function textOf({ json, cuts }: BoundedData): string {
  return [json, ...cuts.map(noteOf)].join('\n');
}

function noteOf({ list, from, to, of, next }: Cut): string {
  return `truncated, next = ${JSON.stringify(next)} (${list}: ${from + 1} to ${to} of ${of})`;
}

function refused(text: string): Outcome {
  return { kind: 'refused', text };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
