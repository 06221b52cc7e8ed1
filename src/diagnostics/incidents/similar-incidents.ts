import type { IncidentRecord } from './incident-model.js';

/** Smallest share of evidence that two incidents have in common to be similar without the same cause. */
const MIN_COMMON = 0.5;

export interface SimilarIncident {
  readonly incident: IncidentRecord;
  readonly similarity: 'same cause' | 'same evidence';
}

/**
 * Earlier incidents with the same root-cause service and kind, then those with mostly the same evidence, figures and
 * names aside; of each the newest first.
 */
export function findSimilarIncidents(
  incident: IncidentRecord,
  others: readonly IncidentRecord[],
  limit: number,
): readonly SimilarIncident[] {
  const { cause } = incident;
  if (cause === undefined) return [];
  const earlier = others
    .filter((other) => other.id !== incident.id && other.status !== 'merged' && other.openedAt < incident.openedAt)
    .sort((a, b) => b.openedAt - a.openedAt);
  const sameCause = earlier.filter(
    (other) => other.cause?.serviceName === cause.serviceName && other.cause.kind === cause.kind,
  );
  const sameEvidence = earlier.filter(
    (other) =>
      other.cause !== undefined && !sameCause.includes(other) && shareEvidence(cause.evidence, other.cause.evidence),
  );
  return [
    ...sameCause.map((each): SimilarIncident => ({ incident: each, similarity: 'same cause' })),
    ...sameEvidence.map((each): SimilarIncident => ({ incident: each, similarity: 'same evidence' })),
  ].slice(0, limit);
}

function shareEvidence(a: readonly string[], b: readonly string[]): boolean {
  const left = new Set(a.map(toPattern));
  const right = new Set(b.map(toPattern));
  const common = [...left].filter((pattern) => right.has(pattern)).length;
  const all = new Set([...left, ...right]).size;
  return all > 0 && common / all >= MIN_COMMON;
}

/** A sentence of evidence without its figures. */
function toPattern(sentence: string): string {
  return sentence.replaceAll(/\d+(?:[.,:]\d+)*/g, '#');
}
