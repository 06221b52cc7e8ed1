import {
  isResolvedBy,
  type ErrorEpisode,
  type GroupChange,
  type GroupException,
} from '../error-groups/error-episodes.js';
import type { ErrorGroupKey } from '../error-groups/error-group-key.js';
import { MINUTE_MS } from '../time-windows.js';
import type { RuleReading } from './record-rule-evaluator.js';

const US_PER_MS = 1_000;

/** Labels of alerts about an error group. */
export const ERROR_TYPE_LABEL = 'error.type';
export const ERROR_GROUP_LABEL = 'error.group';

/** A group that is news at some time. */
export interface WatchedErrorGroup extends Pick<ErrorGroupKey, 'groupId' | 'type'> {
  /** Ordered by `knownUs`. */
  readonly exceptions: readonly GroupException[];
  readonly changes: readonly GroupChange[];
  readonly episodes: readonly ErrorEpisode[];
}

/**
 * What a rule on new errors compares at a moment: of each group whose episode has begun in the window and that nobody has
 * resolved since, the exceptions of the episode in the window.
 */
export function readErrorGroups(
  groups: readonly WatchedErrorGroup[],
  { momentMs, windowMinutes }: { readonly momentMs: number; readonly windowMinutes: number },
): RuleReading[] {
  const window = {
    fromUs: (momentMs - windowMinutes * MINUTE_MS) * US_PER_MS,
    toUs: momentMs * US_PER_MS,
  };
  return groups.flatMap(({ groupId, type, exceptions, changes, episodes }) => {
    const begun = episodes.filter(({ startUs }) => isWithin(startUs, window));
    const current = begun.toSorted((a, b) => a.startUs - b.startUs).at(-1);
    if (current === undefined || isResolvedBy(current, changes, window.toUs)) return [];
    const records = countExceptions(exceptions, { ...window, fromUs: current.startUs }, window);
    const labels = { [ERROR_TYPE_LABEL]: type, [ERROR_GROUP_LABEL]: groupId };
    return [{ serviceName: current.serviceName, labels, records, value: records }];
  });
}

interface Window {
  readonly fromUs: number;
  readonly toUs: number;
}

function countExceptions(exceptions: readonly GroupException[], counted: Window, window: Window): number {
  return exceptions.filter(
    ({ knownUs, twinUs }) => isWithin(knownUs, counted) && (twinUs === undefined || !isWithin(twinUs, window)),
  ).length;
}

function isWithin(timeUs: number, { fromUs, toUs }: Window): boolean {
  return timeUs >= fromUs && timeUs < toUs;
}
