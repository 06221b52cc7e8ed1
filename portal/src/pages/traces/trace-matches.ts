/** The parts of a row of the waterfall that a search needs. */
export interface SearchedRow {
  readonly span: {
    readonly spanId: string;
    readonly serviceName: string;
    readonly operationName: string;
    readonly spanKind: string;
    readonly status: string;
  };
  readonly parentId: string | undefined;
}

/** The condition that finds the failed spans of a trace. */
export const FAILED_SPANS = 'status = ERROR';

/** The condition on failed spans, also as people write it. */
export const FAILED = /^status\s*=\s*"?error"?$/i;

/** All words must occur, in any of the texts of a span, whatever their case. */
export function createWordMatcher(text: string): (row: Pick<SearchedRow, 'span'>) => boolean {
  if (FAILED.test(text.trim())) return ({ span }) => span.status === 'ERROR';
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ span: { serviceName, operationName, spanKind, spanId, status } }) => {
    const texts = [serviceName, operationName, spanKind, spanId, ...(status === 'ERROR' ? ['error'] : [])].map((each) =>
      each.toLowerCase(),
    );
    return words.every((word) => texts.some((each) => each.includes(word)));
  };
}

/** The match after or before the current one, in a circle; undefined without matches. `order` has all rows. */
export function findNextMatch(
  spanIds: readonly string[],
  order: readonly string[],
  current: string,
  step: 1 | -1,
): string | undefined {
  if (spanIds.length === 0) return undefined;
  const at = spanIds.indexOf(current);
  if (at >= 0) return spanIds[(at + step + spanIds.length) % spanIds.length];
  const place = new Map(order.map((spanId, index) => [spanId, index]));
  const from = place.get(current) ?? (step > 0 ? -1 : Infinity);
  const beyond = (spanId: string): boolean => (step > 0 ? place.get(spanId)! > from : place.get(spanId)! < from);
  return step > 0 ? (spanIds.find(beyond) ?? spanIds[0]) : (spanIds.findLast(beyond) ?? spanIds.at(-1));
}

/** Ids of the spans above a span. */
export function listAncestors(rows: readonly SearchedRow[], spanId: string): ReadonlySet<string> {
  const parents = new Map(rows.map(({ span, parentId }) => [span.spanId, parentId]));
  const above = new Set<string>();
  for (let id = parents.get(spanId); id !== undefined && !above.has(id); id = parents.get(id)) above.add(id);
  return above;
}
