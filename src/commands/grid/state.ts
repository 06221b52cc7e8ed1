import { initialSettings, type GridEvent, type GridSettings, type MemberKind, type Role } from '../../streams/events/grid-events.js';

export interface Membership {
  readonly role: Role;
  /** Undefined: a user or an application. */
  readonly kind: MemberKind | undefined;
  /** When, and by whom, it became a member: a change of role leaves that. Ms since 1970. */
  readonly addedAt: number;
  readonly addedBy: string;
}

export interface ApiKeyState {
  readonly name: string;
  readonly secretHash: string;
  /** Ms since 1970; a new secret leaves it. */
  readonly createdAt: number;
}

export interface GridState {
  /** Undefined until the Grid is created. */
  readonly settings: GridSettings | undefined;
  /** Ms since 1970; 0 until the Grid is created. */
  readonly createdAt: number;
  readonly members: ReadonlyMap<string, Membership>;
  /** Keys that are in force, by key id. */
  readonly apiKeys: ReadonlyMap<string, ApiKeyState>;
}

export const initialState: GridState = { settings: undefined, createdAt: 0, members: new Map(), apiKeys: new Map() };

export const eventTypes: ReadonlySet<string> = new Set<GridEvent['type']>([
  'GridCreated.v1', 'GridSettingsChanged.v1', 'MemberSet.v1', 'MemberRemoved.v1',
  'ApiKeyIssued.v1', 'ApiKeyRegenerated.v1', 'ApiKeyRevoked.v1',
]);

export function evolve(state: GridState, event: GridEvent): GridState {
  switch (event.type) {
    case 'GridCreated.v1':
      return { ...state, settings: initialSettings(event.data.name), createdAt: event.data.at };
    case 'GridSettingsChanged.v1':
      return state.settings === undefined ? state : { ...state, settings: { ...state.settings, ...event.data.changes } };
    case 'MemberSet.v1':
      return { ...state, members: withEntry(state.members, event.data.userId, membershipAfter(state.members.get(event.data.userId), event.data)) };
    case 'MemberRemoved.v1':
      return { ...state, members: withoutEntry(state.members, event.data.userId) };
    case 'ApiKeyIssued.v1':
      return { ...state, apiKeys: withEntry(state.apiKeys, event.data.keyId, { name: event.data.name, secretHash: event.data.secretHash, createdAt: event.data.at }) };
    case 'ApiKeyRegenerated.v1':
      return { ...state, apiKeys: withNewSecret(state.apiKeys, event.data.keyId, event.data.secretHash) };
    case 'ApiKeyRevoked.v1':
      return { ...state, apiKeys: withoutEntry(state.apiKeys, event.data.keyId) };
    default:
      return unknownEvent(event);
  }
}

function membershipAfter(before: Membership | undefined, { role, kind, at, actor }: Extract<GridEvent, { type: 'MemberSet.v1' }>['data']): Membership {
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

function unknownEvent(event: never): never {
  throw new Error(`no rule for event ${JSON.stringify(event)}`);
}
