import {
  describeFault,
  findSyntaxFault,
  type SyntaxFault,
} from '../../../../src/queries/query/language/expected-tokens.js';
import { parser } from '../../../../src/queries/query/language/where-grammar.generated.js';
import { FAILED, type SearchedRow } from './trace-matches.js';

const OPERATOR = /[=<>~]|\b(?:in|exists)\s*\(/i;

/** Whether a text may be a condition of the query language: names of spans may have operators too. */
export const hasOperator = (text: string): boolean => OPERATOR.test(text) && !FAILED.test(text.trim());

/** How a text is searched for. */
export type SearchMode =
  | { readonly kind: 'condition' }
  /** `fault`: why a text with operators is not a condition. */
  | { readonly kind: 'words'; readonly fault?: string };

/** A text that is no condition, or stands in the name of a span as it is, is searched for by words. */
export function chooseSearchMode(text: string, rows: readonly Pick<SearchedRow, 'span'>[]): SearchMode {
  if (!hasOperator(text)) return { kind: 'words' };
  const name = text.trim().toLowerCase();
  if (rows.some(({ span }) => span.operationName.toLowerCase().includes(name))) return { kind: 'words' };
  const fault = findConditionFault(text);
  return fault === undefined ? { kind: 'condition' } : { kind: 'words', fault: describeFault(fault) };
}

/** The first fault of a condition on spans that its syntax shows. The text is parsed alone, not as a part of a longer condition. */
function findConditionFault(text: string): SyntaxFault | undefined {
  const fault = findSyntaxFault(text);
  if (fault !== undefined) return fault;
  const cursor = parser.parse(text).cursor();
  do if (cursor.name === 'Text') return { offset: cursor.from, message: 'expected a comparison' };
  while (cursor.next());
  return undefined;
}

const writePrefix = (traceId: string): string => `traceId = ${JSON.stringify(traceId)} and (`;

/** Restricts a condition without faults of syntax to the spans of a trace. */
export const restrictToTrace = (traceId: string, condition: string): string => `${writePrefix(traceId)}${condition})`;

/** What the service says of the restricted condition, for the condition that was written and with the position in it. */
export function describeConditionFault(traceId: string, message: string): string {
  const prefix = writePrefix(traceId).length;
  return message
    .replace(/^where\b/, 'The condition')
    .replace(/\bat position (\d+)/, (all, position: string) =>
      Number(position) > prefix ? `at position ${Number(position) - prefix}` : all,
    );
}

/** Spans of a trace as the service sent them. */
interface SentSpan {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

/**
 * The time range in which queries find all spans of a trace. Queries compare the times that were sent, so the range is not
 * corrected for clock skew. Requires at least one span.
 */
export function findSentRange(rows: readonly { readonly span: SentSpan }[]): {
  readonly rangeStart: string;
  readonly rangeEnd: string;
} {
  let least = Infinity;
  let most = -Infinity;
  for (const { span } of rows) {
    least = Math.min(least, toWholeMs(span.startTimeUnixNano));
    most = Math.max(most, toWholeMs(span.startTimeUnixNano), toWholeMs(span.endTimeUnixNano));
  }
  // The end is exclusive, and the service rounds to parts of a microsecond.
  return { rangeStart: new Date(least).toISOString(), rangeEnd: new Date(most + 2).toISOString() };
}

const toWholeMs = (nanos: string): number => Number(BigInt(nanos) / 1_000_000n);
