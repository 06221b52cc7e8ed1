import type { ErrorGroup } from '../../diagnostics/error-groups/error-group.js';
import type { QueryRange } from '../query/query-model.js';

export const ERROR_ORDERS = ['count', 'lastSeen'] as const;
export type ErrorOrder = (typeof ERROR_ORDERS)[number];

export const ERROR_GROUP_STATUSES = ['open', 'resolved', 'reopened'] as const;
export type ErrorGroupStatus = (typeof ERROR_GROUP_STATUSES)[number];

/** What people did about a group, and whether it has occurred again since. */
export interface ErrorGroupState {
  /** Absent: it was resolved, and whether it has occurred since could not be read in time. */
  readonly status?: ErrorGroupStatus;
  /** The last time, µs since 1970; absent if it was never resolved. */
  readonly resolvedAtUs?: number;
  readonly resolvedBy?: string;
  /** `service.version` in which it is fixed; absent: everywhere, at once. */
  readonly resolvedInVersion?: string;
  /**
   * Of a reopened group: its first exception after it was resolved, or when a person reopened it. Absent if the first one
   * could not be read in time.
   */
  readonly reopenedAtUs?: number;
}

/** Which exceptions. */
export interface ErrorSelection {
  readonly gridId: string;
  readonly range: QueryRange;
  /** Absent: of every service. */
  readonly serviceName?: string;
}

export interface ErrorGroupsQuery extends ErrorSelection {
  /** Absent: groups of every status. One whose status is not known is selected with those that are resolved or reopened. */
  readonly statuses?: readonly ErrorGroupStatus[];
  /** Largest or latest first. */
  readonly orderBy: ErrorOrder;
  readonly page: number;
  readonly pageSize: number;
}

export interface ErrorGroupQuery extends ErrorSelection {
  readonly groupId: string;
}

export interface ErrorGroupLookup {
  readonly gridId: string;
  readonly groupId: string;
  /** µs since 1970. */
  readonly nowUs: number;
  /** Whether it is enough to know that the group exists: the first exception that is found ends the search. */
  readonly stopAtFirst: boolean;
}

/** What is known of a group that is to be resolved. */
export interface KnownErrorGroup {
  /** Those that reported it in the 24 hours before, else one that did earlier, the latest first. */
  readonly versions: readonly string[];
  /** It is known that it has not occurred since it was resolved. */
  readonly isResolved: boolean;
}

/** The status is that of now; with `knownByUs`, that of then. */
export interface FoundErrorGroup extends ErrorGroup, ErrorGroupState {
  /** No stored exception before the range is of this group. Absent if what is stored could not be read in time. */
  readonly isNew?: boolean;
}

export interface ErrorGroupPage {
  readonly groups: readonly FoundErrorGroup[];
  /** Groups on all pages; exact unless exceptions are folded. */
  readonly totalCount: number;
  /** Exceptions of the groups on all pages, and unless statuses are selected of those folded; exact. */
  readonly exceptionCount: number;
  /** Exceptions of groups beyond the bound, which are on no page. Absent if there are none. */
  readonly foldedExceptions?: number;
  /** Records that are damaged: they may report more exceptions. Absent if there are none. */
  readonly damagedRecords?: number;
}

export interface ErrorStep {
  /** µs since 1970, a whole multiple of the length. */
  readonly timeUs: number;
  readonly count: number;
  /** Of versions with exceptions in the step, in the order of those of the group. */
  readonly versions: readonly { readonly name: string; readonly count: number }[];
}

/** An exception as it was reported. */
export interface SampleException {
  readonly message: string;
  readonly stackTrace: string;
  readonly serviceName: string;
  readonly version: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly timeUs: number;
}

export interface ErrorGroupDetail extends FoundErrorGroup {
  readonly stepSeconds: number;
  readonly steps: readonly ErrorStep[];
  /** The newest with a stack trace, else the newest. */
  readonly sample: SampleException;
  readonly damagedRecords?: number;
}

/** `queryId` is unique; `cancelQuery` of TelemetryQueries with it ends the query, which then rejects. */
export interface ErrorGroupQueries {
  findErrorGroups(query: ErrorGroupsQuery, queryId: string): Promise<ErrorGroupPage>;
  /** Undefined if no exception of the range is of this group. */
  readErrorGroup(query: ErrorGroupQuery, queryId: string): Promise<ErrorGroupDetail | undefined>;
  /** Undefined if no stored exception is of the group. If there is too much to read, what was found in time. */
  lookUpErrorGroup(query: ErrorGroupLookup, queryId: string): Promise<KnownErrorGroup | undefined>;
}
