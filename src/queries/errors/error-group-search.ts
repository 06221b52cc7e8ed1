import { compareText } from '../../diagnostics/text-order.js';
import type { ErrorGroup } from '../../diagnostics/error-groups/error-group.js';
import { ErrorGroups } from '../../diagnostics/error-groups/error-groups.js';
import { forEachCounted } from './counted-exceptions.js';
import { markNewGroups } from './error-baseline.js';
import { addErrorGroupStates, type StatusContext } from './error-group-status.js';
import type { ErrorGroupPage, ErrorGroupsQuery, ErrorGroupStatus, ErrorOrder } from './error-group-query-types.js';
import type { ExceptionSource } from './exception-source.js';

/** Groups the exceptions of a range and lists a page of the groups. */
export async function findErrorGroups(
  source: ExceptionSource,
  query: ErrorGroupsQuery,
  context: StatusContext,
): Promise<ErrorGroupPage> {
  const memory = source.timeSlice.openMemory();
  const groups = new ErrorGroups({ charge: (bytes) => memory.charge(bytes) });
  await forEachCounted(source, query, memory, (exception) => groups.add(exception));
  const { damagedRecords } = source;
  const { statuses, page, pageSize } = query;
  const selectPage = <Group extends ErrorGroup>(some: readonly Group[]): Group[] =>
    some.toSorted(ORDERS[query.orderBy]).slice((page - 1) * pageSize, page * pageSize);
  const all = groups.list();
  const withStates = await addErrorGroupStates(source, statuses === undefined ? selectPage(all) : all, query, context);
  const selected = statuses && withStates.filter(({ status }) => isSelected(status, statuses));
  const counted: readonly ErrorGroup[] = selected ?? all;
  return {
    groups: await markNewGroups(source, query, selected === undefined ? withStates : selectPage(selected)),
    totalCount: counted.length,
    exceptionCount: counted.reduce((sum, { count }) => sum + count, statuses === undefined ? groups.folded : 0),
    ...(groups.folded > 0 && { foldedExceptions: groups.folded }),
    ...(damagedRecords > 0 && { damagedRecords }),
  };
}

/** One whose status is not known is resolved or reopened. */
function isSelected(status: ErrorGroupStatus | undefined, statuses: readonly ErrorGroupStatus[]): boolean {
  return status === undefined ? statuses.some((each) => each !== 'open') : statuses.includes(status);
}

const byId = (a: ErrorGroup, b: ErrorGroup): number => compareText(a.groupId, b.groupId);
const byCount = (a: ErrorGroup, b: ErrorGroup): number => b.count - a.count;
const byLastSeen = (a: ErrorGroup, b: ErrorGroup): number => b.lastSeenUs - a.lastSeenUs;

const ORDERS: Readonly<Record<ErrorOrder, (a: ErrorGroup, b: ErrorGroup) => number>> = {
  count: (a, b) => byCount(a, b) || byLastSeen(a, b) || byId(a, b),
  lastSeen: (a, b) => byLastSeen(a, b) || byCount(a, b) || byId(a, b),
};
