import type { Authored } from '../../streams/events/grid-events.js';
import type { ErrorGroupEvent } from '../../streams/events/error-group-events.js';
import { type Decider, type Decision, reject } from '../decider.js';
import { checkOptionalText, toFieldErrors } from '../field-validation.js';

export const ERROR_GROUP_BOUNDS = { versionLength: 256, knownVersions: 30, groupsOfAGrid: 10_000 } as const;

interface ErrorGroupCommandBase extends Authored {
  readonly gridId: string;
  readonly groupId: string;
}

export type ErrorGroupCommand =
  | (ErrorGroupCommandBase & {
      readonly type: 'Resolve';
      /** `service.version` in which it is fixed; empty: everywhere, at once. */
      readonly fixedIn: string;
      /** Versions that have reported it, the newest first. */
      readonly knownVersions: readonly string[];
      /** Whether it is known that the group has not occurred since it was resolved. */
      readonly isResolved: boolean;
    })
  | (ErrorGroupCommandBase & { readonly type: 'Reopen' });

interface ResolvedState {
  readonly isResolved: boolean;
  /** Of the last resolution. */
  readonly fixedIn: string;
}

/** Groups that people resolved at some time, by id, in the order of their last changes: the oldest first. */
export type ResolvedErrorGroups = ReadonlyMap<string, ResolvedState>;

/**
 * Error groups of a Grid that people resolve and reopen. A group that occurs again is not reopened by an event: readers
 * compare its exceptions with the time at which it was resolved. So a group may be resolved again. Beyond the bound of a
 * Grid, a further group replaces the one whose last change is the oldest.
 */
export const errorGroupDecider: Decider<ErrorGroupCommand, ResolvedErrorGroups, ErrorGroupEvent> = {
  eventTypes: new Set<ErrorGroupEvent['type']>([
    'ErrorGroupResolved.v1',
    'ErrorGroupReopened.v1',
    'ErrorGroupDropped.v1',
  ]),
  initialState: new Map(),
  decide,
  evolve: (state, event) => evolveAll(state, [event]),
  evolveAll,
};

function evolveAll(state: ResolvedErrorGroups, events: readonly ErrorGroupEvent[]): ResolvedErrorGroups {
  const groups = new Map(state);
  for (const event of events) {
    const { groupId } = event.data;
    const fixedIn = event.type === 'ErrorGroupResolved.v1' ? event.data.fixedIn : (groups.get(groupId)?.fixedIn ?? '');
    groups.delete(groupId);
    if (event.type !== 'ErrorGroupDropped.v1')
      groups.set(groupId, { isResolved: event.type === 'ErrorGroupResolved.v1', fixedIn });
  }
  return groups;
}

function decide(command: ErrorGroupCommand, groups: ResolvedErrorGroups): Decision<ErrorGroupEvent> {
  const { actor, at, gridId, groupId } = command;
  const of = { actor, at, gridId, groupId };
  const known = groups.get(groupId);
  if (command.type === 'Reopen') {
    if (known === undefined) return reject('not-found', 'The Grid has no resolved error group with this id.');
    return known.isResolved ? [{ type: 'ErrorGroupReopened.v1', data: of }] : [];
  }
  const { fixedIn, knownVersions, isResolved } = command;
  const errors = toFieldErrors('serviceVersion', checkOptionalText(fixedIn, ERROR_GROUP_BOUNDS.versionLength));
  if (errors.length > 0) return reject('invalid-request', 'The version is invalid.', errors);
  if (isResolved && known?.isResolved === true && known.fixedIn === fixedIn) return [];
  const others = knownVersions.filter((version) => version !== fixedIn).slice(0, ERROR_GROUP_BOUNDS.knownVersions);
  return [
    ...(known === undefined ? dropOldest(command, groups) : []),
    { type: 'ErrorGroupResolved.v1', data: { ...of, fixedIn, knownVersions: fixedIn === '' ? [] : others } },
  ];
}

/** Makes room for one more group. */
function dropOldest(
  { actor, at, gridId }: ErrorGroupCommandBase,
  groups: ResolvedErrorGroups,
): readonly ErrorGroupEvent[] {
  const excess = Math.max(0, groups.size + 1 - ERROR_GROUP_BOUNDS.groupsOfAGrid);
  return [...groups.keys()]
    .slice(0, excess)
    .map((groupId) => ({ type: 'ErrorGroupDropped.v1', data: { actor, at, gridId, groupId } }));
}
