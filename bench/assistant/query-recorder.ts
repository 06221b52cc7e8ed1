import type { ToolQueries } from '../../src/assistant/tool.js';

/** A query of a tool, and its result. */
export interface RecordedQuery {
  readonly query: string;
  readonly given: readonly unknown[];
  readonly answer: unknown;
}

/** Wraps queries and records their arguments and results in the list. */
export function recordQueries(queries: ToolQueries, records: RecordedQuery[]): ToolQueries {
  const groups = Object.entries(queries).map(([group, questions]) => [
    group,
    recordGroup(group, questions as object, records),
  ]);
  return Object.fromEntries(groups);
}

function recordGroup(group: string, questions: object, records: RecordedQuery[]): object {
  return new Proxy(questions, {
    get(target, name: string) {
      const ask = Reflect.get(target, name) as ((...given: unknown[]) => Promise<unknown>) | undefined;
      if (typeof ask !== 'function') return ask;
      return async (...given: unknown[]) => {
        const answer = await ask.apply(target, given);
        records.push({ query: `${group}.${name}`, given, answer });
        return answer;
      };
    },
  });
}
