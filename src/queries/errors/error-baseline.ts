import { ErrorGroupKeys, MAX_ERROR_TYPE } from '../../diagnostics/error-groups/error-group-key.js';
import type { ErrorGroup } from '../../diagnostics/error-groups/error-group.js';
import type { ExceptionOccurrence } from '../../diagnostics/error-groups/exception-occurrence.js';
import type { ErrorSelection } from './error-group-query-types.js';
import type { ExceptionSource } from './exception-source.js';

/** Part of the time that remains for the query: what is known by then is answered. */
const TIME_PART = 1 / 2;

/**
 * Marks the groups of which nothing stored before the range tells. Reads backwards from the range, and ends as soon as
 * every group was found: all that is stored is read only if one of them is new. Groups that were not found when its time
 * is over stay without a mark.
 */
export async function markNewGroups<Group extends ErrorGroup>(
  source: ExceptionSource,
  { range, serviceName }: Pick<ErrorSelection, 'range' | 'serviceName'>,
  groups: readonly Group[],
): Promise<(Group & { readonly isNew?: boolean })[]> {
  const missing = new Set(groups.map(({ groupId }) => groupId));
  const types = new Set(groups.map(({ type }) => type));
  const keys = new ErrorGroupKeys();
  const before = { fromUs: 0, toUs: range.fromUs };
  const visitor = {
    visit(exception: ExceptionOccurrence) {
      if (exception.timeUs >= range.fromUs || (serviceName !== undefined && exception.service !== serviceName)) return;
      const key = types.has(exception.type.slice(0, MAX_ERROR_TYPE)) ? keys.find(exception) : undefined;
      if (key !== undefined) missing.delete(key.groupId);
    },
    isDone: () => missing.size === 0,
  };
  const isComplete = await source.timeSlice.runPart(TIME_PART, async () => {
    await source.forEachOfLogs(before, visitor);
    await source.forEachOfSpans(before, visitor);
    return true;
  });
  return groups.map((group) => {
    const isNew = missing.has(group.groupId);
    return { ...group, ...((isComplete === true || !isNew) && { isNew }) };
  });
}
