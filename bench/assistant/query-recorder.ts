import type { ToolQueries } from '../../src/assistant/tool.js';

/** A question that a tool asked, and the answer. */
export interface RecordedQuery {
  readonly query: string;
  readonly given: readonly unknown[];
  readonly answer: unknown;
}

/** The same queries; what is asked of them, and answered, goes into the list. */
export function recordQueries(queries: ToolQueries, asked: RecordedQuery[]): ToolQueries {
  const groups = Object.entries(queries).map(([group, questions]) => [
    group,
    recordGroup(group, questions as object, asked),
  ]);
  return Object.fromEntries(groups);
}

function recordGroup(group: string, questions: object, asked: RecordedQuery[]): object {
  return new Proxy(questions, {
    get(target, name: string) {
      const ask = Reflect.get(target, name) as ((...given: unknown[]) => Promise<unknown>) | undefined;
      if (typeof ask !== 'function') return ask;
      return async (...given: unknown[]) => {
        const answer = await ask.apply(target, given);
        asked.push({ query: `${group}.${name}`, given, answer });
        return answer;
      };
    },
  });
}
