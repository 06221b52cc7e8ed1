import { formatExactCount } from '../../format/number-format.js';

/** Spans that a search matches. */
export interface TraceMatches {
  /** The spans that are marked, in the order of the rows. */
  readonly spanIds: readonly string[];
  /** Number of spans that match: more than are marked if there are very many. */
  readonly count: number;
  /** There may be more than `count`. */
  readonly isAtLeast: boolean;
  /** Why a text with operators was searched for by words. */
  readonly fault: string | undefined;
}

export const NO_MATCHES: TraceMatches = { spanIds: [], count: 0, isAtLeast: false, fault: undefined };

/** How many spans match. `place`: place of the selected span among the marked ones, from 1; 0 if it is none of them. */
export function describeMatches(matches: TraceMatches, place: number): string {
  const { spanIds, count, isAtLeast, fault } = matches;
  if (count === 0)
    return fault === undefined ? 'No span matches' : `No span matches. As a condition, the text ${fault}`;
  const all = `${isAtLeast ? 'at least ' : ''}${formatExactCount(count)} ${count === 1 ? 'span matches' : 'spans match'}`;
  const at = place === 0 ? '' : `${formatExactCount(place)} of `;
  return count <= spanIds.length ? at + all : `${all}, ${at}${formatExactCount(spanIds.length)} marked`;
}
