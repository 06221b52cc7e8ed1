import type { FieldError } from '../../errors.js';
import type { Authored, GridEvent, GridSettings } from '../../streams/events/grid-events.js';
import { changedMeanwhile, reject, type Decider, type Decision, type Rejection } from '../decider.js';
import type { GridCommand, GridCommandOf, GridRecord } from './commands.js';
import { memberFaults, nameFaults, settingsFaults } from './rules.js';
import { eventTypes, evolve, initialState, type GridState } from './state.js';

type GridDecision = Decision<GridEvent>;

const NO_CHANGE: readonly GridEvent[] = [];

export function decide(command: GridCommand, state: GridState): GridDecision {
  if (command.type === 'CreateGrid') return createGrid(command, state);
  if (state.settings === undefined) return reject('not-found', 'There is no such Grid.');
  switch (command.type) {
    case 'ChangeSettings': return changeSettings(command, { ...state.settings, gridId: command.gridId, createdAt: state.createdAt });
    case 'SetMember': return setMember(command, state);
    case 'RemoveMember': return removeMember(command, state);
    case 'IssueApiKey': return issueApiKey(command, state);
    case 'RegenerateApiKey': return regenerateApiKey(command, state);
    case 'RevokeApiKey': return revokeApiKey(command, state);
    default: return unknownCommand(command);
  }
}

export const gridDecider: Decider<GridCommand, GridState, GridEvent> = { eventTypes, initialState, decide, evolve };

function createGrid(command: GridCommandOf<'CreateGrid'>, state: GridState): GridDecision {
  if (state.settings !== undefined) return reject('conflict', 'The Grid exists already.');
  const { owner, gridId, name } = command;
  const faults = [...nameFaults(name), ...(owner === undefined ? [] : memberFaults(owner.id, 'Owner'))];
  if (faults.length > 0) return invalid(faults);
  const created: GridEvent = { type: 'GridCreated.v1', data: { ...authored(command), gridId, name } };
  if (owner === undefined) return [created];
  return [created, { type: 'MemberSet.v1', data: { ...authored(command), gridId, userId: owner.id, role: 'Owner', kind: owner.kind } }];
}

function changeSettings(command: GridCommandOf<'ChangeSettings'>, grid: GridRecord): GridDecision {
  if (command.onlyIf?.(grid) === false) return changedMeanwhile('Grid');
  const faults = settingsFaults(command.changes);
  if (faults.length > 0) return invalid(faults);
  const changes = differences(command.changes, grid);
  if (Object.keys(changes).length === 0) return NO_CHANGE;
  return [{ type: 'GridSettingsChanged.v1', data: { ...authored(command), gridId: command.gridId, changes } }];
}

function differences(changes: Partial<GridSettings>, settings: GridSettings): Partial<GridSettings> {
  const current: Readonly<Record<string, unknown>> = { ...settings };
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => value !== undefined && value !== current[name]));
}

function setMember(command: GridCommandOf<'SetMember'>, state: GridState): GridDecision {
  const { userId, role, gridId } = command;
  const faults = memberFaults(userId, role);
  if (faults.length > 0) return invalid(faults);
  const before = state.members.get(userId);
  const kind = command.kind ?? before?.kind;
  if (before !== undefined && before.role === role && before.kind === kind) return NO_CHANGE;
  if (role !== 'Owner' && isLastOwner(userId, state)) return lastOwner();
  return [{ type: 'MemberSet.v1', data: { ...authored(command), gridId, userId, role, ...(kind === undefined ? {} : { kind }) } }];
}

function removeMember(command: GridCommandOf<'RemoveMember'>, state: GridState): GridDecision {
  const { userId, gridId } = command;
  if (!state.members.has(userId)) return reject('not-found', 'There is no such member.');
  if (isLastOwner(userId, state)) return lastOwner();
  return [{ type: 'MemberRemoved.v1', data: { ...authored(command), gridId, userId } }];
}

function issueApiKey(command: GridCommandOf<'IssueApiKey'>, state: GridState): GridDecision {
  const { gridId, name, keyId, secretHash } = command;
  const faults = nameFaults(name);
  if (faults.length > 0) return invalid(faults);
  if (state.apiKeys.has(keyId)) return reject('conflict', 'There is a key with this id already.');
  return [{ type: 'ApiKeyIssued.v1', data: { ...authored(command), gridId, name, keyId, secretHash } }];
}

function regenerateApiKey(command: GridCommandOf<'RegenerateApiKey'>, state: GridState): GridDecision {
  const { gridId, keyId, secretHash } = command;
  if (!state.apiKeys.has(keyId)) return unknownKey();
  return [{ type: 'ApiKeyRegenerated.v1', data: { ...authored(command), gridId, keyId, secretHash } }];
}

function revokeApiKey(command: GridCommandOf<'RevokeApiKey'>, state: GridState): GridDecision {
  const { gridId, keyId } = command;
  if (!state.apiKeys.has(keyId)) return unknownKey();
  return [{ type: 'ApiKeyRevoked.v1', data: { ...authored(command), gridId, keyId } }];
}

function isLastOwner(userId: string, state: GridState): boolean {
  if (state.members.get(userId)?.role !== 'Owner') return false;
  return [...state.members.values()].filter(({ role }) => role === 'Owner').length === 1;
}

function authored({ actor, at }: Authored): Authored {
  return { actor, at };
}

function invalid(faults: readonly FieldError[]): Rejection {
  return reject('invalid-request', 'The request has faults.', faults);
}

function lastOwner(): Rejection {
  return reject('last-owner', 'A Grid keeps at least one Owner: make somebody else Owner first.');
}

function unknownKey(): Rejection {
  return reject('not-found', 'There is no such API key.');
}

function unknownCommand(command: never): never {
  throw new Error(`no rule for command ${JSON.stringify(command)}`);
}
