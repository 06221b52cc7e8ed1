import type { ObservedCause } from '../commands/incidents/observed-changes.js';
import type { Diagnosis } from '../diagnostics/diagnostic-results.js';

/** How long (ms) a cause must be stated before incidents believe it, and be missing before it counts as gone. */
const CONFIRM_MS = 15_000;
const MISSING_MS = 30_000;
/** Below this confidence a cause is a guess. */
const MIN_CONFIDENCE = 0.3;

/** A cause as last stated, and since when it has been stated without a gap. */
interface SeenCause {
  readonly cause: Omit<ObservedCause, 'isConfirmed'>;
  readonly since: number;
  readonly lastAt: number;
}

/**
 * By root-cause service. In memory only: after a restart a cause has to be confirmed again, and none is missing at
 * first.
 */
export type CauseHistory = ReadonlyMap<string, SeenCause>;

export const NO_CAUSES: CauseHistory = new Map();

/**
 * The causes of a diagnosis without the noise of single ones: confirmed when they have lasted, and kept while they are
 * missing only briefly. Best first.
 */
export function debounceCauses(
  diagnoses: readonly Diagnosis[],
  at: number,
  history: CauseHistory,
): { readonly causes: readonly ObservedCause[]; readonly history: CauseHistory } {
  const next = new Map<string, SeenCause>();
  for (const cause of diagnoses.map(toCause)) {
    if (cause === undefined || next.has(cause.serviceName)) continue;
    const before = history.get(cause.serviceName);
    const lasts = before !== undefined && !before.cause.isOver && !cause.isOver;
    next.set(cause.serviceName, { cause, since: lasts ? Math.min(at, before.since) : at, lastAt: at });
  }
  for (const [causeService, seen] of history)
    if (!next.has(causeService) && Math.abs(at - seen.lastAt) < MISSING_MS) next.set(causeService, seen);
  const causes = [...next.values()].map(({ cause, since, lastAt }) => ({
    ...cause,
    isConfirmed: lastAt - since >= CONFIRM_MS,
  }));
  return { causes, history: next };
}

function toCause(diagnosis: Diagnosis): Omit<ObservedCause, 'isConfirmed'> | undefined {
  const { cause, kind, serviceName, confidence, severity, affectedServices, evidence, firstDetected } = diagnosis;
  if (kind === 'inconclusive' || serviceName === null || confidence < MIN_CONFIDENCE) return undefined;
  const { impactedTraceCount, sampleTraceIds, recoveredAt } = diagnosis;
  return {
    cause,
    kind,
    serviceName,
    confidence,
    severity,
    affectedServices,
    evidence,
    firstDetected,
    impactedTraceCount,
    sampleTraceIds,
    isOver: recoveredAt !== undefined,
  };
}
