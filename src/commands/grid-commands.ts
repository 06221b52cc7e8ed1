import type { ApiKeySecret, GridEvent, GridSettings, MemberKind, Role } from '../streams/events/grid-events.js';
import type { Position } from '../streams/event-store.js';
import { gridStream } from '../streams/stream-names.js';
import type { OnlyIf } from './decider.js';
import type { GridCommand, GridRecord, NewMember } from './grid/commands.js';
import type { ApiKeyState, GridState, Membership } from './grid/state.js';
import type { Handle } from './handle.js';

/** A new API key: `text` is what the user copies, and nobody can show it again. */
export interface MintedApiKey extends ApiKeySecret {
  readonly text: string;
}

/** A key with a fresh secret, under a fresh id unless one is given. */
export type MintApiKey = (keyId?: string) => MintedApiKey;

export interface Done {
  /** Read models that have reached it show the change. */
  readonly position: Position;
}

/** The Grid as it is now. */
export type GridDone = Done & GridRecord;

/** The membership as it is now. */
export interface MemberDone extends Done {
  readonly userId: string;
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  readonly addedBy: string;
}

export interface IssuedApiKey extends Done {
  readonly keyId: string;
  readonly name: string;
  /** The key itself, to be shown once. */
  readonly apiKey: string;
  /** Of the key: a new secret leaves it. Milliseconds since 1970. */
  readonly createdAt: number;
  /** Of this secret. Milliseconds since 1970. */
  readonly issuedAt: number;
}

/**
 * What can be done to a Grid. `actor` is the id of the caller. Each rejects with the code of the rule that it breaks:
 * `invalid-request` with all faults, `not-found`, `last-owner`, `conflict`, `precondition-failed` where what is there is not what `onlyIf` wants.
 */
export interface GridCommands {
  /** The owner, usually the caller, becomes its first member. */
  createGrid(actor: string, name: string, owner?: NewMember): Promise<GridDone>;
  changeSettings(actor: string, gridId: string, changes: Partial<GridSettings>, onlyIf?: OnlyIf<GridRecord>): Promise<GridDone>;
  /** Adds a member or changes its role. Without `kind` it stays as it was; a new one then counts for a user and an application. */
  setMember(actor: string, gridId: string, userId: string, role: Role, kind?: MemberKind): Promise<MemberDone>;
  removeMember(actor: string, gridId: string, userId: string): Promise<Done>;
  issueApiKey(actor: string, gridId: string, name: string): Promise<IssuedApiKey>;
  /** Gives the key a new secret; the old one is void. */
  regenerateApiKey(actor: string, gridId: string, keyId: string): Promise<IssuedApiKey>;
  revokeApiKey(actor: string, gridId: string, keyId: string): Promise<Done>;
}

export interface GridCommandsOptions {
  readonly handle: Handle<GridCommand, GridEvent, GridState>;
  readonly mintApiKey: MintApiKey;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface DoneTo extends Done {
  readonly gridId: string;
  readonly state: GridState;
}

export function createGridCommands({ handle, mintApiKey, newId, now }: GridCommandsOptions): GridCommands {
  const run = async (command: GridCommand): Promise<DoneTo> => {
    const { position, state } = await handle(gridStream(command.gridId), command);
    return { position, gridId: command.gridId, state };
  };
  const done = async (command: GridCommand): Promise<Done> => ({ position: (await run(command)).position });
  return {
    createGrid: async (actor, name, owner) => gridDone(await run({ type: 'CreateGrid', actor, at: now(), gridId: newId(), name, ...(owner === undefined ? {} : { owner }) })),
    changeSettings: async (actor, gridId, changes, onlyIf) => gridDone(await run({ type: 'ChangeSettings', actor, at: now(), gridId, changes, onlyIf })),
    setMember: async (actor, gridId, userId, role, kind) =>
      memberDone(await run({ type: 'SetMember', actor, at: now(), gridId, userId, role, ...(kind === undefined ? {} : { kind }) }), userId),
    removeMember: (actor, gridId, userId) => done({ type: 'RemoveMember', actor, at: now(), gridId, userId }),
    async issueApiKey(actor, gridId, name) {
      const { keyId, secretHash, text } = mintApiKey();
      const at = now();
      return keyDone(await run({ type: 'IssueApiKey', actor, at, gridId, name, keyId, secretHash }), { keyId, apiKey: text, issuedAt: at });
    },
    async regenerateApiKey(actor, gridId, keyId) {
      const { secretHash, text } = mintApiKey(keyId);
      const at = now();
      return keyDone(await run({ type: 'RegenerateApiKey', actor, at, gridId, keyId, secretHash }), { keyId, apiKey: text, issuedAt: at });
    },
    revokeApiKey: (actor, gridId, keyId) => done({ type: 'RevokeApiKey', actor, at: now(), gridId, keyId }),
  };
}

function gridDone({ position, gridId, state: { settings, createdAt } }: DoneTo): GridDone {
  return { position, gridId, ...there<GridSettings>(settings), createdAt };
}

function memberDone({ position, state: { members } }: DoneTo, userId: string): MemberDone {
  const { role, addedAt, addedBy } = there<Membership>(members.get(userId));
  return { position, userId, role, addedAt, addedBy };
}

function keyDone({ position, state: { apiKeys } }: DoneTo, issued: Pick<IssuedApiKey, 'keyId' | 'apiKey' | 'issuedAt'>): IssuedApiKey {
  const { name, createdAt } = there<ApiKeyState>(apiKeys.get(issued.keyId));
  return { position, ...issued, name, createdAt };
}

/** What a command was done to stands in the state that the command left. */
function there<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new TypeError('a command was done to what is not there');
  return thing;
}
