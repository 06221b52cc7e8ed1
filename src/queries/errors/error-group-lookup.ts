import { ErrorGroupCounts, type ErrorGroup } from '../../diagnostics/error-groups/error-group.js';
import { ErrorGroupKeys, isErrorGroupId } from '../../diagnostics/error-groups/error-group-key.js';
import type { ExceptionOccurrence } from '../../diagnostics/error-groups/exception-occurrence.js';
import type { QueryRange } from '../query/query-model.js';
import { addErrorGroupStates, type StatusContext } from './error-group-status.js';
import type { ErrorGroupLookup, KnownErrorGroup } from './error-group-query-types.js';
import type { ExceptionSource, ExceptionVisit } from './exception-source.js';

/** How far back versions are looked for: those that run now have reported the group since then, if they still do. */
const LOOK_BACK_US = 86_400_000_000;
/** The newest records are read first: most groups that people resolve have just occurred. */
const RECENT_US = 3_600_000_000;
/** Part of the time that remains for the query: about five seconds. */
const TIME_PART = 1 / 5;

/** What is to be known of a group before it is resolved; undefined if no stored exception is of the group. */
export async function lookUpErrorGroup(
  source: ExceptionSource,
  query: ErrorGroupLookup,
  context: StatusContext,
): Promise<KnownErrorGroup | undefined> {
  // A search that ends for lack of time knows no better than that the group may exist.
  if (!isErrorGroupId(query.groupId)) return undefined;
  const found = new FoundVersions(query.groupId);
  const isComplete = await source.timeSlice.runPart(TIME_PART, () => findVersions(source, query, found));
  const group = found.group;
  if (group === undefined) return isComplete === true ? undefined : { versions: [], isResolved: false };
  const of = { gridId: query.gridId, range: { fromUs: 0, toUs: Infinity } };
  const [{ status }] = await addErrorGroupStates(source, [group], of, context);
  return { versions: found.versions, isResolved: status === 'resolved' };
}

async function findVersions(
  source: ExceptionSource,
  { nowUs, stopAtFirst }: ErrorGroupLookup,
  found: FoundVersions,
): Promise<true> {
  const [recentUs, dayUs] = [nowUs - RECENT_US, nowUs - LOOK_BACK_US];
  const visit: ExceptionVisit = { visit: found.visit, isDone: () => stopAtFirst && found.last !== undefined };
  for (const range of [
    { fromUs: recentUs, toUs: Infinity },
    { fromUs: dayUs, toUs: recentUs },
  ]) {
    await source.forEachOfLogs(range, visit);
    await source.forEachOfSpans(range, visit);
  }
  if (found.last === undefined) await findLast(source, { fromUs: 0, toUs: dayUs }, found);
  return true;
}

/** Finds the version of the last exception in the range, as far as the order of what is stored tells. */
async function findLast(source: ExceptionSource, range: QueryRange, found: FoundVersions): Promise<void> {
  const [ofLogs, ofSpans] = [new FoundVersions(found.groupId), new FoundVersions(found.groupId)];
  await source.forEachOfLogs(range, { visit: ofLogs.visit, isDone: () => ofLogs.last !== undefined });
  await source.forEachOfSpans(range, { visit: ofSpans.visit, isDone: () => ofSpans.last !== undefined });
  const [last] = [ofLogs.last, ofSpans.last].filter((each) => each !== undefined).sort((a, b) => b.timeUs - a.timeUs);
  if (last !== undefined) found.visit(last);
}

/** The time of the last exception of a group by version. */
class FoundVersions {
  private readonly keys = new ErrorGroupKeys();
  private readonly times = new Map<string, number>();
  private counts: ErrorGroupCounts | undefined;
  /** The latest exception. */
  last: ExceptionOccurrence | undefined;

  constructor(readonly groupId: string) {}

  readonly visit = (exception: ExceptionOccurrence): void => {
    const { version, timeUs } = exception;
    if (timeUs <= (this.times.get(version) ?? -Infinity)) return;
    const key = this.keys.find(exception);
    if (key.groupId !== this.groupId) return;
    this.times.set(version, timeUs);
    this.counts ??= new ErrorGroupCounts(key);
    this.counts.add(exception);
    if (timeUs > (this.last?.timeUs ?? -Infinity)) this.last = exception;
  };

  /** With the last exceptions of its versions, not all; undefined if there is none. */
  get group(): ErrorGroup | undefined {
    return this.counts?.toGroup();
  }

  /** The latest first. */
  get versions(): readonly string[] {
    return [...this.times].sort(([, a], [, b]) => b - a).map(([version]) => version);
  }
}
