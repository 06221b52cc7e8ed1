import type { AnswerSource } from '../answerer.js';
import type { Tool, ToolContext } from '../tool.js';
import type { EntityVocabulary } from './entities/entity-vocabulary.js';

/** The Grid under question: asks tools and keeps account of them. */
export interface QueryContext {
  readonly nowMs: number;
  readonly vocabulary: EntityVocabulary;
  /** Tools that may still be asked. */
  readonly left: number;
  /** Rejects with OutOfSources where none may be asked any more. */
  callTool<Arguments extends object, Data extends object>(tool: Tool<Arguments, Data>, given: Arguments): Promise<Data>;
}

/** The user's energy pays for no further source. */
export class SourceBudgetExhausted extends Error {
  override readonly name = 'OutOfSources';
}

export interface AccountedQueryContext extends QueryContext {
  readonly sources: readonly AnswerSource[];
}

export function createQueryContext(
  context: ToolContext,
  vocabulary: EntityVocabulary,
  mostSources: number,
  signal: AbortSignal,
): AccountedQueryContext {
  const sources: AnswerSource[] = [];
  return {
    nowMs: context.nowMs,
    vocabulary,
    sources,
    get left() {
      return mostSources - sources.length;
    },
    async callTool(tool, given) {
      signal.throwIfAborted();
      if (sources.length >= mostSources)
        throw new SourceBudgetExhausted('No further source may be consulted for this reply');
      const fault = tool.faultsIn(given);
      if (fault !== undefined) throw new TypeError(`The analyst asked ${tool.name} wrongly: ${fault}`);
      const { data, source } = await tool.run(context, given);
      sources.push(source);
      return data;
    },
  };
}
