import type { AnswerSource } from '../answerer.js';
import { formatApiQuery } from '../api-query.js';
import { isToolPermitted, type Tool, type ToolContext } from '../tool.js';
import type { EntityVocabulary } from './entities/entity-vocabulary.js';

/** What an intent needs to answer: the Grid's vocabulary, the time, and metered access to tools. */
export interface QueryContext {
  readonly nowMs: number;
  readonly vocabulary: EntityVocabulary;
  /** Energy that the user has once this answer is paid, beyond what the balance says while it is reserved. */
  readonly refundedEnergy: number;
  /** Number of tool calls left. */
  readonly sourcesLeft: number;
  /** Rejects with SourceBudgetExhausted if no calls are left, with ToolNotPermitted if the caller may not call the tool. */
  callTool<Arguments extends object, Data extends object>(tool: Tool<Arguments, Data>, args: Arguments): Promise<Data>;
}

/** The answer has used as many sources as one may. */
export class SourceBudgetExhausted extends Error {
  override readonly name = 'OutOfSources';
}

/** The caller's role does not permit the tool. */
export class ToolNotPermitted extends Error {
  override readonly name = 'ToolNotPermitted';
}

export interface AccountedQueryContext extends QueryContext {
  readonly sources: readonly AnswerSource[];
  /** As in Answer. */
  readonly queries: readonly string[];
}

export function createQueryContext(
  context: ToolContext,
  vocabulary: EntityVocabulary,
  { maxSources, refundedEnergy }: { readonly maxSources: number; readonly refundedEnergy: number },
  signal: AbortSignal,
): AccountedQueryContext {
  const sources: AnswerSource[] = [];
  const queries: string[] = [];
  return {
    nowMs: context.nowMs,
    vocabulary,
    refundedEnergy,
    sources,
    queries,
    get sourcesLeft() {
      return maxSources - sources.length;
    },
    async callTool(tool, args) {
      signal.throwIfAborted();
      if (!isToolPermitted(tool, context)) throw new ToolNotPermitted(`The caller may not call ${tool.name}`);
      if (sources.length >= maxSources) throw new SourceBudgetExhausted('The source limit of this reply is reached');
      const error = tool.validate(args);
      if (error !== undefined) throw new TypeError(`The analyst called ${tool.name} with invalid arguments: ${error}`);
      queries.push(formatApiQuery(tool, args, context.gridId));
      const { data, source } = await tool.run(context, args);
      sources.push(source);
      return data;
    },
  };
}
