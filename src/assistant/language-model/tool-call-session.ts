import type { Logger } from '../../self-telemetry/logger.js';
import type { AnswerSource } from '../answerer.js';
import type { ExternalTool, ToolCallOutcome } from '../external-tool.js';
import type { ToolContext } from '../tool.js';
import { fenceData } from './model-messages.js';
import type { ToolCall } from './language-model.js';

/** Size limit of one tool result: several thousand tokens. */
const MAX_RESULT_BYTES = 12 * 1024;

export interface ToolCallSessionOptions {
  readonly tools: readonly ExternalTool[];
  readonly context: ToolContext;
  /** Number of permitted queries. */
  readonly maxSources: number;
  readonly log: Pick<Logger, 'warn'>;
}

/** The tool calls of one answer: records sources and enforces the limit that was reserved. */
export class ToolCallSession {
  /** In call order. */
  readonly sources: AnswerSource[] = [];
  /** As in Answer. */
  readonly queries: string[] = [];
  /** Results that the model received, for checking its figures. */
  readonly evidence: unknown[] = [];
  private startedCalls = 0;

  constructor(private readonly options: ToolCallSessionOptions) {}

  get isUsedUp(): boolean {
    return this.startedCalls >= this.options.maxSources;
  }

  /**
   * Runs a call and returns the text for the model. A failing query does not end the dialogue: the model may try
   * another one.
   */
  async call({ name, arguments: argumentsJson }: ToolCall): Promise<string> {
    const { tools } = this.options;
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) return `There is no such tool. The tools are ${tools.map((each) => each.name).join(', ')}.`;
    const args = tryParseJson(argumentsJson);
    if (args === undefined) return 'The arguments are not valid JSON.';
    if (this.isUsedUp)
      return 'No more tools may be used for this answer. Answer with what you have, and say what is missing.';
    const outcome = await this.runTool(tool, args.value);
    if (outcome.kind !== 'answered') return outcome.text;
    this.sources.push(outcome.source);
    this.queries.push(tool.formatQuery(args.value as object, this.options.context.gridId));
    const [json = '', ...notes] = outcome.text.split('\n');
    this.evidence.push(tryParseJson(json)?.value, ...notes, outcome.source.description);
    // The description may contain names, which are untrusted, too.
    return fenceData(`${outcome.source.description.replace(/\s+/g, ' ')}\n${outcome.text}`);
  }

  private async runTool(tool: ExternalTool, args: unknown): Promise<ToolCallOutcome> {
    const { context, log } = this.options;
    this.startedCalls++;
    try {
      const outcome = await tool.call(context, args, MAX_RESULT_BYTES);
      if (outcome.kind === 'refused') this.startedCalls--;
      return outcome;
    } catch (error) {
      log.warn('A query of the assistant failed', { tool: tool.name, error });
      return { kind: 'missing', text: 'The query failed. Do not repeat it.' };
    }
  }
}

/** Undefined if the text is not JSON. */
export function tryParseJson(json: string): { readonly value: unknown } | undefined {
  try {
    // Models send an empty string for tools without arguments.
    return { value: json.trim() === '' ? {} : (JSON.parse(json) as unknown) };
  } catch {
    return undefined;
  }
}
