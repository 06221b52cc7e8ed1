import { type ChargeBytes, ERROR_GROUP_BOUNDS, ErrorGroupCounts, type ErrorGroup } from './error-group.js';
import { ErrorGroupKeys } from './error-group-key.js';
import { ExceptionIdentities } from './exception-identities.js';
import { sortOccurrences, type ExceptionOccurrence } from './exception-occurrence.js';

export interface ErrorGroupsOptions {
  readonly maxGroups?: number;
  /** Receives the bytes that the groups take; may throw. Default: nobody counts them. */
  readonly charge?: ChargeBytes;
}

/**
 * Groups exceptions by type, message pattern and top frames, and counts them exactly. Up to the bound of groups the
 * result does not depend on the order of the exceptions, and the merged results of two parts equal that of the whole. Beyond the
 * bound, exceptions of further groups are counted in `folded`.
 */
export class ErrorGroups {
  private readonly groups = new Map<string, ErrorGroupCounts>();
  /** Exceptions of groups beyond the bound. */
  folded = 0;

  private readonly keys = new ErrorGroupKeys();
  private readonly maxGroups: number;
  private readonly charge: ChargeBytes;

  constructor({ maxGroups = ERROR_GROUP_BOUNDS.groups, charge = () => undefined }: ErrorGroupsOptions = {}) {
    this.maxGroups = maxGroups;
    this.charge = charge;
  }

  /** Number of groups that are kept. */
  get size(): number {
    return this.groups.size;
  }

  /** Exceptions that count once must be given once, see `ExceptionIdentities`. Returns the id of the group. */
  add(exception: ExceptionOccurrence): string {
    const key = this.keys.find(exception);
    const counts = this.open(key.groupId, () => new ErrorGroupCounts(key, this.charge));
    if (counts === undefined) this.folded++;
    else counts.add(exception);
    return key.groupId;
  }

  merge(other: ErrorGroups): void {
    this.folded += other.folded;
    for (const [groupId, counts] of other.groups) {
      const own = this.open(groupId, () => new ErrorGroupCounts(counts.key, this.charge));
      if (own === undefined) this.folded += counts.toGroup().count;
      else own.merge(counts);
    }
  }

  find(groupId: string): ErrorGroup | undefined {
    return this.groups.get(groupId)?.toGroup();
  }

  list(): ErrorGroup[] {
    return Array.from(this.groups.values(), (counts) => counts.toGroup());
  }

  private open(groupId: string, create: () => ErrorGroupCounts): ErrorGroupCounts | undefined {
    const known = this.groups.get(groupId);
    if (known !== undefined || this.groups.size >= this.maxGroups) return known;
    const created = create();
    this.groups.set(groupId, created);
    return created;
  }
}

/**
 * Groups exceptions in any order. One that several events of a span report, or log records of that span as well, counts
 * once: as the earliest event.
 */
export function groupExceptions(exceptions: readonly ExceptionOccurrence[]): ErrorGroups {
  const groups = new ErrorGroups();
  const identities = new ExceptionIdentities();
  const isFromSpan = ({ source }: ExceptionOccurrence): boolean => source === 'span';
  for (const exception of sortOccurrences(exceptions.filter(isFromSpan)))
    if (identities.add(exception)) groups.add(exception);
  for (const exception of exceptions) if (!isFromSpan(exception) && !identities.has(exception)) groups.add(exception);
  return groups;
}
