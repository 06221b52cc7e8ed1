import type { Logger } from '../../self-telemetry/logger.js';
import type { AnswerSource } from '../answerer.js';
import type { ExternalTool, ToolCallOutcome } from '../external-tool.js';
import type { ToolContext } from '../tool.js';
import { fenceData } from './model-messages.js';
import type { ToolCall } from './language-model.js';

/** Of one result: some thousand tokens. */
const MAX_RESULT_BYTES = 12 * 1024;

export interface ToolCallSessionOptions {
  readonly tools: readonly ExternalTool[];
  readonly context: ToolContext;
  /** Queries that may be asked. */
  readonly mostSources: number;
  readonly log: Pick<Logger, 'warn'>;
}

/** The calls of one answer: what they consulted, and no more than was paid for. */
export class ToolCallSession {
  /** In the order in which they were consulted. */
  readonly sources: AnswerSource[] = [];
  /** What the model was told, for checking its figures against. */
  readonly evidence: unknown[] = [];
  private begun = 0;

  constructor(private readonly parts: ToolCallSessionOptions) {}

  get isUsedUp(): boolean {
    return this.begun >= this.parts.mostSources;
  }

  /** What the model is told of its call. A query that fails is no end: the model may find another way. */
  async call({ name, arguments: written }: ToolCall): Promise<string> {
    const { tools } = this.parts;
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) return `There is no such tool. The tools are ${tools.map((each) => each.name).join(', ')}.`;
    const given = tryParseJson(written);
    if (given === undefined) return 'The arguments are no JSON.';
    if (this.isUsedUp)
      return 'No more tools may be used for this answer. Answer with what you have, and say what is missing.';
    const outcome = await this.runTool(tool, given.value);
    if (outcome.kind !== 'answered') return outcome.text;
    this.sources.push(outcome.source);
    const [json = '', ...notes] = outcome.text.split('\n');
    this.evidence.push(tryParseJson(json)?.value, ...notes, outcome.source.description);
    // Its description may hold names, which are anybody's words too.
    return fenceData(`${outcome.source.description.replace(/\s+/g, ' ')}\n${outcome.text}`);
  }

  private async runTool(tool: ExternalTool, given: unknown): Promise<ToolCallOutcome> {
    const { context, log } = this.parts;
    this.begun++;
    try {
      const outcome = await tool.call(context, given, MAX_RESULT_BYTES);
      if (outcome.kind === 'refused') this.begun--;
      return outcome;
    } catch (error) {
      log.warn('a query of the assistant failed', { tool: tool.name, error });
      return { kind: 'missing', text: 'The query failed. Do not ask it again.' };
    }
  }
}

/** Undefined: it is no JSON. */
export function tryParseJson(json: string): { readonly value: unknown } | undefined {
  try {
    // Models write nothing at all where a tool takes no arguments.
    return { value: json.trim() === '' ? {} : (JSON.parse(json) as unknown) };
  } catch {
    return undefined;
  }
}
