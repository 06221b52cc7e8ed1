import type { Source } from '../answer.js';
import type { Tool, ToolContext } from '../tool.js';
import type { Vocabulary } from './vocabulary.js';

/** The Grid under question: asks tools and keeps account of them. */
export interface Inquiry {
  readonly nowMs: number;
  readonly vocabulary: Vocabulary;
  /** Tools that may still be asked. */
  readonly left: number;
  /** Rejects with OutOfSources where none may be asked any more. */
  ask<Arguments extends object, Data extends object>(tool: Tool<Arguments, Data>, given: Arguments): Promise<Data>;
}

/** The user's energy pays for no further source. */
export class OutOfSources extends Error {
  override readonly name = 'OutOfSources';
}

export interface AccountedInquiry extends Inquiry {
  readonly sources: readonly Source[];
}

export function createInquiry(context: ToolContext, vocabulary: Vocabulary, mostSources: number, signal: AbortSignal): AccountedInquiry {
  const sources: Source[] = [];
  return {
    nowMs: context.nowMs,
    vocabulary,
    sources,
    get left() {
      return mostSources - sources.length;
    },
    async ask(tool, given) {
      signal.throwIfAborted();
      if (sources.length >= mostSources) throw new OutOfSources('No further source may be consulted for this reply');
      const fault = tool.faultsIn(given);
      if (fault !== undefined) throw new TypeError(`The analyst asked ${tool.name} wrongly: ${fault}`);
      const { data, source } = await tool.run(context, given);
      sources.push(source);
      return data;
    },
  };
}
