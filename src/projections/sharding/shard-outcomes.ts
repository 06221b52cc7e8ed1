import type { DeadLetter } from '../engine/dead-letter-queue.js';
import type { DryRunOutcome, RebuildOutcome, RetryOutcome } from '../engine/projector-types.js';

type NamedOutcome = DeadLetter | RebuildOutcome | DryRunOutcome;

/** The outcome under the public name of the projection. */
export function withProjectionName<T extends { readonly projection: string }>(outcome: T, projection: string): T {
  return { ...outcome, projection };
}

/** The outcome with the public names of projections and groups. */
export function addShardSuffix<T extends NamedOutcome | RetryOutcome>(outcome: T, suffix: string): T {
  if (suffix === '') return outcome;
  if ('tried' in outcome)
    return {
      ...outcome,
      tried: outcome.tried.map((each) => addShardSuffix(each, suffix)),
      rebuilt: outcome.rebuilt.map((each) => addShardSuffix(each, suffix)),
    };
  const lacking = 'lacking' in outcome ? { lacking: outcome.lacking.map((name) => name + suffix) } : {};
  return { ...outcome, ...lacking, projection: outcome.projection + suffix };
}

/** Combines the outcomes of several projectors. */
export function mergeRetryOutcomes(outcomes: readonly RetryOutcome[]): Omit<RetryOutcome, 'left'> {
  return { tried: outcomes.flatMap(({ tried }) => tried), rebuilt: outcomes.flatMap(({ rebuilt }) => rebuilt) };
}
