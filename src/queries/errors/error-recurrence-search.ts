import { ErrorGroupKeys, MAX_ERROR_TYPE } from '../../diagnostics/error-groups/error-group-key.js';
import { OTHER_NAMES, type ErrorGroup } from '../../diagnostics/error-groups/error-group.js';
import { isUnexpected } from '../../diagnostics/error-groups/error-resolution.js';
import type { ExceptionOccurrence } from '../../diagnostics/error-groups/exception-occurrence.js';
import type { ErrorRecurrences, Recurrence, ReadThrough, Resolution } from './error-recurrences.js';
import type { ExceptionSource } from './exception-source.js';

const US_PER_MS = 1_000;
/** Part of the time that remains for the query: what is known by then is answered. */
const TIME_PART = 1 / 4;

export interface ResolvedGroup {
  readonly group: ErrorGroup;
  readonly resolution: Resolution;
}

/** Whether a resolved group has occurred since, as far as it could be read. */
export interface FoundRecurrence {
  /** Undefined: not known. */
  readonly isReopened?: boolean;
  /** The first exception that reopens it, µs since 1970; absent if it is not known. */
  readonly reopenedAtUs?: number;
}

/**
 * Finds the first exception of each group that its resolution does not expect, by the id of the group. Reads what has
 * arrived since the last request, in the order of arrival; with `knownByUs` everything since the resolutions. What is not
 * read in time is left to the next request.
 * @param recurrences what earlier requests have found
 */
export async function findRecurrences(
  source: ExceptionSource,
  { gridId, knownByUs }: { readonly gridId: string; readonly knownByUs: number | undefined },
  resolved: readonly ResolvedGroup[],
  recurrences: ErrorRecurrences,
): Promise<ReadonlyMap<string, FoundRecurrence>> {
  const searches = resolved.map(({ group, resolution }) => {
    const known = recurrences.find(gridId, group.groupId, resolution);
    return new RecurrenceSearch(group, resolution, known);
  });
  const pending = searches.filter(({ isFinal }) => !isFinal);
  const readThrough = startOf(pending);
  try {
    const isComplete = await source.timeSlice.runPart(TIME_PART, () =>
      readRest(source, pending, readThrough, knownByUs),
    );
    if (isComplete === true) for (const search of pending) search.complete();
  } finally {
    // Spans that had not ended by then are left out of what is known by a moment.
    if (knownByUs === undefined)
      for (const search of pending)
        recurrences.add(gridId, search.group.groupId, search.resolution, search.toRecurrence(readThrough));
  }
  return new Map(searches.map((search) => [search.group.groupId, search.found]));
}

/** All groups are searched for from where the first of them has to be: what others have read before does no harm. */
function startOf(pending: readonly RecurrenceSearch[]): ReadThrough {
  return {
    logs: Math.min(...pending.map(({ readThrough }) => readThrough.logs)),
    spans: Math.min(...pending.map(({ readThrough }) => readThrough.spans)),
  };
}

async function readRest(
  source: ExceptionSource,
  pending: readonly RecurrenceSearch[],
  readThrough: ReadThrough,
  knownByUs: number | undefined,
): Promise<true> {
  if (pending.length === 0) return true;
  const keys = new ErrorGroupKeys();
  const byId = new Map(pending.map((search) => [search.group.groupId, search]));
  const types = new Set(pending.map(({ group }) => group.type));
  const fromUs = Math.min(...pending.map(({ resolution }) => resolution.at * US_PER_MS));
  const toUs = knownByUs ?? Infinity;
  const visit = (exception: ExceptionOccurrence): void => {
    const { timeUs, type } = exception;
    if (timeUs <= fromUs || timeUs >= toUs || !types.has(type.slice(0, MAX_ERROR_TYPE))) return;
    byId.get(keys.find(exception).groupId)?.visit(exception);
  };
  const range = { fromUs, toUs, ...(knownByUs !== undefined && { knownByUs }) };
  await source.forEachArrived(range, visit, readThrough);
  return true;
}

/** The search for the first exception of one group after it was resolved. */
class RecurrenceSearch {
  private reopenedAtUs: number | undefined;
  private isComplete = false;

  constructor(
    readonly group: ErrorGroup,
    readonly resolution: Resolution,
    private readonly known: Recurrence,
  ) {
    this.reopenedAtUs = known.reopenedAtUs;
  }

  get isFinal(): boolean {
    return this.known.isFinal;
  }

  get readThrough(): Readonly<ReadThrough> {
    return this.known.readThrough;
  }

  get found(): FoundRecurrence {
    const isKnown = this.isFinal || this.isComplete;
    if (this.reopenedAtUs === undefined)
      return hasReopened(this.group, this.resolution) ? { isReopened: true } : isKnown ? { isReopened: false } : {};
    return { isReopened: true, ...(isKnown && { reopenedAtUs: this.reopenedAtUs }) };
  }

  visit({ timeUs, version }: ExceptionOccurrence): void {
    if (timeUs > this.resolution.at * US_PER_MS && isUnexpected(version, this.resolution))
      this.reopenedAtUs = Math.min(timeUs, this.reopenedAtUs ?? Infinity);
  }

  /** Everything that is stored has been read. */
  complete(): void {
    this.isComplete = true;
  }

  toRecurrence(readThrough: Readonly<ReadThrough>): Recurrence {
    const { reopenedAtUs } = this;
    return {
      ...(reopenedAtUs !== undefined && { reopenedAtUs }),
      readThrough: { ...readThrough },
      isFinal: this.isComplete && reopenedAtUs !== undefined,
    };
  }
}

/** Whether the exceptions that were counted are enough to know. */
function hasReopened({ firstSeenUs, lastSeenUs, versions }: ErrorGroup, resolution: Resolution): boolean {
  const resolvedUs = resolution.at * US_PER_MS;
  if (resolution.fixedIn === '') return lastSeenUs > resolvedUs;
  return (
    firstSeenUs > resolvedUs && versions.some(({ name }) => name !== OTHER_NAMES && isUnexpected(name, resolution))
  );
}
