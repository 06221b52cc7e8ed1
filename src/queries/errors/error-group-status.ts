import type { ErrorGroup } from '../../diagnostics/error-groups/error-group.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import { and, eq, oneOf } from '../../read-models/document-filter.js';
import {
  ERROR_GROUPS_PROJECTION,
  errorGroupCollection,
  type ErrorGroupChange,
  errorGroupDocumentId,
} from '../../read-models/documents/error-group-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { ErrorGroupState, ErrorSelection } from './error-group-query-types.js';
import { findRecurrences, type FoundRecurrence, type ResolvedGroup } from './error-recurrence-search.js';
import type { ErrorRecurrences } from './error-recurrences.js';
import type { ExceptionSource } from './exception-source.js';

const US_PER_MS = 1_000;
const OPEN: ErrorGroupState = { status: 'open' };
/** More groups than this are read together instead of one by one. */
const MAX_SINGLE_READS = 100;

/** What people did about groups, by the id of the group, the oldest first. */
export type ErrorGroupChanges = ReadonlyMap<string, readonly ErrorGroupChange[]>;

/** What is known of the status of groups besides their exceptions. */
export interface StatusContext {
  readonly readChanges: (groupIds: readonly string[]) => Promise<ErrorGroupChanges>;
  readonly recurrences: ErrorRecurrences;
}

/** Of these groups. Empty before the projection's first commit. */
export async function readErrorGroupChanges(
  store: ReadModelReader,
  gridId: string,
  groupIds: readonly string[],
): Promise<ErrorGroupChanges> {
  const version = await readActiveVersion(store, ERROR_GROUPS_PROJECTION);
  if (version === undefined) return new Map();
  const collection = errorGroupCollection(version);
  const found =
    groupIds.length <= MAX_SINGLE_READS
      ? await Promise.all(groupIds.map((groupId) => store.get(collection, errorGroupDocumentId(gridId, groupId))))
      : (await store.find(collection, { filter: and(eq('gridId', gridId), oneOf('groupId', groupIds)) })).map(
          ({ document }) => document,
        );
  return new Map(found.flatMap((document) => (document === undefined ? [] : [[document.groupId, document.changes]])));
}

/**
 * Adds what is known of the status of each group now, or at `knownByUs`. A resolved group is reopened by its first
 * exception afterwards that the resolution does not expect. Without a status if that could not be read in time.
 */
export async function addErrorGroupStates<Group extends ErrorGroup>(
  source: ExceptionSource,
  groups: readonly Group[],
  { gridId, range: { knownByUs } }: Pick<ErrorSelection, 'gridId' | 'range'>,
  { readChanges, recurrences }: StatusContext,
): Promise<(Group & ErrorGroupState)[]> {
  const changes = await readChanges(groups.map(({ groupId }) => groupId));
  const states = new Map<string, ErrorGroupState>();
  const resolved: ResolvedGroup[] = [];
  for (const group of groups) {
    const known = (changes.get(group.groupId) ?? []).filter(({ at }) => at * US_PER_MS <= (knownByUs ?? Infinity));
    const last = known.at(-1);
    states.set(group.groupId, toState(known));
    if (last?.type === 'resolved') resolved.push({ group, resolution: last });
  }
  const found = await findRecurrences(source, { gridId, knownByUs }, resolved, recurrences);
  return groups.map((group) => {
    const state = states.get(group.groupId) ?? OPEN;
    const recurrence = found.get(group.groupId);
    return { ...group, ...(recurrence === undefined ? state : addRecurrence(state, recurrence)) };
  });
}

function addRecurrence(
  { status: _resolved, ...state }: ErrorGroupState,
  { isReopened, reopenedAtUs }: FoundRecurrence,
): ErrorGroupState {
  if (isReopened === undefined) return state;
  if (!isReopened) return { ...state, status: 'resolved' };
  return { ...state, status: 'reopened', ...(reopenedAtUs !== undefined && { reopenedAtUs }) };
}

function toState(changes: readonly ErrorGroupChange[]): ErrorGroupState {
  const last = changes.at(-1);
  const resolution = changes.findLast(({ type }) => type === 'resolved');
  if (last === undefined) return OPEN;
  return {
    status: last.type,
    ...(resolution?.type === 'resolved' && {
      resolvedAtUs: resolution.at * US_PER_MS,
      resolvedBy: resolution.by,
      ...(resolution.fixedIn !== '' && { resolvedInVersion: resolution.fixedIn }),
    }),
    ...(last.type === 'reopened' && { reopenedAtUs: last.at * US_PER_MS }),
  };
}
