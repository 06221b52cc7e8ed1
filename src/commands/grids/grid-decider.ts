import {
  type ApiKeyKind,
  type Authored,
  createInitialSettings,
  type GridEvent,
  type GridSettings,
  type MemberKind,
  type Role,
} from '../../streams/events/grid-events.js';
import type { FieldError } from '../../errors.js';
import { type Decider, type Decision, reject, rejectChangedMeanwhile, type Rejection } from '../decider.js';
import type { GridCommand, GridCommandByType, GridRecord } from './grid-command-types.js';
import { validateMember, validateName, validateNewApiKey, validateSettings } from './grid-validation.js';

export interface Membership {
  readonly role: Role;
  /** Undefined: user and application. */
  readonly kind: MemberKind | undefined;
  /** When (ms since 1970) and by whom the member was added; a change of role keeps both. */
  readonly addedAt: number;
  readonly addedBy: string;
}

export interface ApiKeyState {
  readonly name: string;
  readonly kind: ApiKeyKind;
  readonly secretHash: string;
  /** Ms since 1970; regenerating the secret does not change it. */
  readonly createdAt: number;
}

export interface GridState {
  /** Undefined until the Grid is created. */
  readonly settings: GridSettings | undefined;
  /** Ms since 1970; 0 until the Grid is created. */
  readonly createdAt: number;
  readonly members: ReadonlyMap<string, Membership>;
  /** Valid keys by key id. */
  readonly apiKeys: ReadonlyMap<string, ApiKeyState>;
}

export const initialState: GridState = { settings: undefined, createdAt: 0, members: new Map(), apiKeys: new Map() };

export const eventTypes: ReadonlySet<string> = new Set<GridEvent['type']>([
  'GridCreated.v1',
  'GridSettingsChanged.v1',
  'MemberSet.v1',
  'MemberRemoved.v1',
  'ApiKeyIssued.v2',
  'ApiKeyRegenerated.v1',
  'ApiKeyRevoked.v1',
]);

export function evolve(state: GridState, event: GridEvent): GridState {
  switch (event.type) {
    case 'GridCreated.v1':
      return { ...state, settings: createInitialSettings(event.data.name), createdAt: event.data.at };
    case 'GridSettingsChanged.v1':
      return state.settings === undefined
        ? state
        : { ...state, settings: { ...state.settings, ...event.data.changes } };
    case 'MemberSet.v1':
      return {
        ...state,
        members: withEntry(
          state.members,
          event.data.userId,
          updateMembership(state.members.get(event.data.userId), event.data),
        ),
      };
    case 'MemberRemoved.v1':
      return { ...state, members: withoutEntry(state.members, event.data.userId) };
    case 'ApiKeyIssued.v2':
      return {
        ...state,
        apiKeys: withEntry(state.apiKeys, event.data.keyId, {
          name: event.data.name,
          kind: event.data.kind,
          secretHash: event.data.secretHash,
          createdAt: event.data.at,
        }),
      };
    case 'ApiKeyRegenerated.v1':
      return { ...state, apiKeys: withNewSecret(state.apiKeys, event.data.keyId, event.data.secretHash) };
    case 'ApiKeyRevoked.v1':
      return { ...state, apiKeys: withoutEntry(state.apiKeys, event.data.keyId) };
    default:
      return throwUnknownEvent(event);
  }
}

function updateMembership(
  before: Membership | undefined,
  { role, kind, at, actor }: Extract<GridEvent, { type: 'MemberSet.v1' }>['data'],
): Membership {
  return { role, kind, addedAt: before?.addedAt ?? at, addedBy: before?.addedBy ?? actor };
}

function withEntry<Value>(entries: ReadonlyMap<string, Value>, key: string, value: Value): ReadonlyMap<string, Value> {
  return new Map(entries).set(key, value);
}

function withoutEntry<Value>(entries: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const rest = new Map(entries);
  rest.delete(key);
  return rest;
}

function withNewSecret(keys: GridState['apiKeys'], keyId: string, secretHash: string): GridState['apiKeys'] {
  const key = keys.get(keyId);
  return key === undefined ? keys : withEntry(keys, keyId, { ...key, secretHash });
}

function throwUnknownEvent(event: never): never {
  throw new Error(`Unknown event ${JSON.stringify(event)}`);
}

type GridDecision = Decision<GridEvent>;
const NO_CHANGE: readonly GridEvent[] = [];

function decide(command: GridCommand, state: GridState): GridDecision {
  if (command.type === 'CreateGrid') return createGrid(command, state);
  if (state.settings === undefined) return reject('not-found', 'There is no such Grid.');
  switch (command.type) {
    case 'ChangeSettings':
      return changeSettings(command, { ...state.settings, gridId: command.gridId, createdAt: state.createdAt });
    case 'SetMember':
      return setMember(command, state);
    case 'RemoveMember':
      return removeMember(command, state);
    case 'IssueApiKey':
      return issueApiKey(command, state);
    case 'RegenerateApiKey':
      return regenerateApiKey(command, state);
    case 'RevokeApiKey':
      return revokeApiKey(command, state);
    default:
      return throwUnknownCommand(command);
  }
}

export const gridDecider: Decider<GridCommand, GridState, GridEvent> = { eventTypes, initialState, decide, evolve };

function createGrid(command: GridCommandByType<'CreateGrid'>, state: GridState): GridDecision {
  if (state.settings !== undefined) return reject('conflict', 'The Grid already exists.');
  const { owner, gridId, name } = command;
  const errors = [...validateName(name), ...(owner === undefined ? [] : validateMember(owner.id, 'Owner'))];
  if (errors.length > 0) return rejectInvalid(errors);
  const created: GridEvent = { type: 'GridCreated.v1', data: { ...authorship(command), gridId, name } };
  if (owner === undefined) return [created];
  return [
    created,
    {
      type: 'MemberSet.v1',
      data: { ...authorship(command), gridId, userId: owner.id, role: 'Owner', kind: owner.kind },
    },
  ];
}

function changeSettings(command: GridCommandByType<'ChangeSettings'>, grid: GridRecord): GridDecision {
  if (command.onlyIf?.(grid) === false) return rejectChangedMeanwhile('Grid');
  const errors = validateSettings(command.changes);
  if (errors.length > 0) return rejectInvalid(errors);
  const changes = findChangedSettings(command.changes, grid);
  if (Object.keys(changes).length === 0) return NO_CHANGE;
  return [{ type: 'GridSettingsChanged.v1', data: { ...authorship(command), gridId: command.gridId, changes } }];
}

function findChangedSettings(changes: Partial<GridSettings>, settings: GridSettings): Partial<GridSettings> {
  const current: Readonly<Record<string, unknown>> = { ...settings };
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => value !== undefined && value !== current[name]),
  );
}

function setMember(command: GridCommandByType<'SetMember'>, state: GridState): GridDecision {
  const { userId, role, gridId } = command;
  const errors = validateMember(userId, role);
  if (errors.length > 0) return rejectInvalid(errors);
  const before = state.members.get(userId);
  const kind = command.kind ?? before?.kind;
  if (before !== undefined && before.role === role && before.kind === kind) return NO_CHANGE;
  if (role !== 'Owner' && isLastOwner(userId, state)) return rejectLastOwner();
  return [
    {
      type: 'MemberSet.v1',
      data: { ...authorship(command), gridId, userId, role, ...(kind === undefined ? {} : { kind }) },
    },
  ];
}

function removeMember(command: GridCommandByType<'RemoveMember'>, state: GridState): GridDecision {
  const { userId, gridId } = command;
  if (!state.members.has(userId)) return reject('not-found', 'There is no such member.');
  if (isLastOwner(userId, state)) return rejectLastOwner();
  return [{ type: 'MemberRemoved.v1', data: { ...authorship(command), gridId, userId } }];
}

function issueApiKey(command: GridCommandByType<'IssueApiKey'>, state: GridState): GridDecision {
  const { gridId, name, kind, keyId, secretHash, maxKeys } = command;
  const errors = validateNewApiKey({ name, kind });
  if (errors.length > 0) return rejectInvalid(errors);
  if (state.apiKeys.has(keyId)) return reject('conflict', 'A key with this id already exists.');
  if (maxKeys !== undefined && state.apiKeys.size >= maxKeys)
    return reject('conflict', `A Grid can have at most ${maxKeys} API keys (KEYS_PER_GRID): revoke one first.`);
  return [{ type: 'ApiKeyIssued.v2', data: { ...authorship(command), gridId, name, keyId, secretHash, kind } }];
}

function regenerateApiKey(command: GridCommandByType<'RegenerateApiKey'>, state: GridState): GridDecision {
  const { gridId, keyId, secretHash } = command;
  if (!state.apiKeys.has(keyId)) return rejectUnknownKey();
  return [{ type: 'ApiKeyRegenerated.v1', data: { ...authorship(command), gridId, keyId, secretHash } }];
}

function revokeApiKey(command: GridCommandByType<'RevokeApiKey'>, state: GridState): GridDecision {
  const { gridId, keyId } = command;
  if (!state.apiKeys.has(keyId)) return rejectUnknownKey();
  return [{ type: 'ApiKeyRevoked.v1', data: { ...authorship(command), gridId, keyId } }];
}

function isLastOwner(userId: string, state: GridState): boolean {
  if (state.members.get(userId)?.role !== 'Owner') return false;
  return [...state.members.values()].filter(({ role }) => role === 'Owner').length === 1;
}

function authorship({ actor, at }: Authored): Authored {
  return { actor, at };
}

function rejectInvalid(errors: readonly FieldError[]): Rejection {
  return reject('invalid-request', 'The request is invalid.', errors);
}

function rejectLastOwner(): Rejection {
  return reject('last-owner', 'A Grid must have at least one Owner: make another member Owner first.');
}

function rejectUnknownKey(): Rejection {
  return reject('not-found', 'There is no such API key.');
}

function throwUnknownCommand(command: never): never {
  throw new Error(`Unknown command ${JSON.stringify(command)}`);
}
