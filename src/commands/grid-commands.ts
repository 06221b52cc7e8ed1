import type { ApiKeySecret, GridEvent, GridSettings, MemberKind, Role } from '../streams/events/grid-events.js';
import type { Position } from '../streams/event-store.js';
import { gridStream } from '../streams/stream-names.js';
import type { GridCommand, NewMember } from './grid/commands.js';
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

export interface IssuedApiKey extends Done {
  readonly keyId: string;
  readonly apiKey: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

/**
 * What can be done to a Grid. `actor` is the id of the caller. Each rejects with the code of the rule that it breaks:
 * `invalid-request` with all faults, `not-found`, `last-owner`, `conflict`.
 */
export interface GridCommands {
  /** The owner, usually the caller, becomes its first member. */
  createGrid(actor: string, name: string, owner?: NewMember): Promise<Done & { readonly gridId: string }>;
  changeSettings(actor: string, gridId: string, changes: Partial<GridSettings>): Promise<Done>;
  /** Adds a member or changes its role. Without `kind` it stays as it was; a new one then counts for a user and an application. */
  setMember(actor: string, gridId: string, userId: string, role: Role, kind?: MemberKind): Promise<Done>;
  removeMember(actor: string, gridId: string, userId: string): Promise<Done>;
  issueApiKey(actor: string, gridId: string, name: string): Promise<IssuedApiKey>;
  /** Gives the key a new secret; the old one is void. */
  regenerateApiKey(actor: string, gridId: string, keyId: string): Promise<IssuedApiKey>;
  revokeApiKey(actor: string, gridId: string, keyId: string): Promise<Done>;
}

export interface GridCommandsOptions {
  readonly handle: Handle<GridCommand, GridEvent>;
  readonly mintApiKey: MintApiKey;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createGridCommands({ handle, mintApiKey, newId, now }: GridCommandsOptions): GridCommands {
  const run = async (command: GridCommand): Promise<Done> => {
    const { position } = await handle(gridStream(command.gridId), command);
    return { position };
  };
  return {
    async createGrid(actor, name, owner) {
      const gridId = newId();
      const done = await run({ type: 'CreateGrid', actor, at: now(), gridId, name, ...(owner === undefined ? {} : { owner }) });
      return { ...done, gridId };
    },
    changeSettings: (actor, gridId, changes) => run({ type: 'ChangeSettings', actor, at: now(), gridId, changes }),
    setMember: (actor, gridId, userId, role, kind) =>
      run({ type: 'SetMember', actor, at: now(), gridId, userId, role, ...(kind === undefined ? {} : { kind }) }),
    removeMember: (actor, gridId, userId) => run({ type: 'RemoveMember', actor, at: now(), gridId, userId }),
    async issueApiKey(actor, gridId, name) {
      const { keyId, secretHash, text } = mintApiKey();
      const at = now();
      const done = await run({ type: 'IssueApiKey', actor, at, gridId, name, keyId, secretHash });
      return { ...done, keyId, apiKey: text, issuedAt: at };
    },
    async regenerateApiKey(actor, gridId, keyId) {
      const { secretHash, text } = mintApiKey(keyId);
      const at = now();
      const done = await run({ type: 'RegenerateApiKey', actor, at, gridId, keyId, secretHash });
      return { ...done, keyId, apiKey: text, issuedAt: at };
    },
    revokeApiKey: (actor, gridId, keyId) => run({ type: 'RevokeApiKey', actor, at: now(), gridId, keyId }),
  };
}
