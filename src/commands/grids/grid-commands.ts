import type { ApiKeySecret, GridEvent, GridSettings, MemberKind, Role } from '../../streams/events/grid-events.js';
import type { Position } from '../../streams/event-store.js';
import { gridStream } from '../../streams/stream-names.js';
import type { Precondition } from '../decider.js';
import type { GridCommand, GridRecord, NewMember } from './grid-command-types.js';
import type { ApiKeyState, GridState, Membership } from './grid-decider.js';
import type { CommandHandler } from '../handle-command.js';

/** A new API key: `text` is what the user copies, and nobody can show it again. */
export interface MintedApiKey extends ApiKeySecret {
  readonly text: string;
}

/** A key with a fresh secret, under a fresh id unless one is given. */
export type MintApiKey = (keyId?: string) => MintedApiKey;

export interface CommandReceipt {
  /** Read models that have reached it show the change. */
  readonly position: Position;
}

/** The Grid as it is now. */
export type GridReceipt = CommandReceipt & GridRecord;

/** The membership as it is now. */
export interface MemberReceipt extends CommandReceipt {
  readonly userId: string;
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  readonly addedBy: string;
}

export interface ApiKeyReceipt extends CommandReceipt {
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
  createGrid(actor: string, name: string, owner?: NewMember): Promise<GridReceipt>;
  changeSettings(
    actor: string,
    gridId: string,
    changes: Partial<GridSettings>,
    onlyIf?: Precondition<GridRecord>,
  ): Promise<GridReceipt>;
  /** Adds a member or changes its role. Without `kind` it stays as it was; a new one then counts for a user and an application. */
  setMember(actor: string, gridId: string, userId: string, role: Role, kind?: MemberKind): Promise<MemberReceipt>;
  removeMember(actor: string, gridId: string, userId: string): Promise<CommandReceipt>;
  issueApiKey(actor: string, gridId: string, name: string): Promise<ApiKeyReceipt>;
  /** Gives the key a new secret; the old one is void. */
  regenerateApiKey(actor: string, gridId: string, keyId: string): Promise<ApiKeyReceipt>;
  revokeApiKey(actor: string, gridId: string, keyId: string): Promise<CommandReceipt>;
}

export interface GridCommandsOptions {
  readonly handle: CommandHandler<GridCommand, GridEvent, GridState>;
  readonly mintApiKey: MintApiKey;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface GridCommandOutcome extends CommandReceipt {
  readonly gridId: string;
  readonly state: GridState;
}

export function createGridCommands({ handle, mintApiKey, newId, now }: GridCommandsOptions): GridCommands {
  const run = async (command: GridCommand): Promise<GridCommandOutcome> => {
    const { position, state } = await handle(gridStream(command.gridId), command);
    return { position, gridId: command.gridId, state };
  };
  const done = async (command: GridCommand): Promise<CommandReceipt> => ({ position: (await run(command)).position });
  return {
    createGrid: async (actor, name, owner) =>
      toGridReceipt(
        await run({
          type: 'CreateGrid',
          actor,
          at: now(),
          gridId: newId(),
          name,
          ...(owner === undefined ? {} : { owner }),
        }),
      ),
    changeSettings: async (actor, gridId, changes, onlyIf) =>
      toGridReceipt(await run({ type: 'ChangeSettings', actor, at: now(), gridId, changes, onlyIf })),
    setMember: async (actor, gridId, userId, role, kind) =>
      toMemberReceipt(
        await run({
          type: 'SetMember',
          actor,
          at: now(),
          gridId,
          userId,
          role,
          ...(kind === undefined ? {} : { kind }),
        }),
        userId,
      ),
    removeMember: (actor, gridId, userId) => done({ type: 'RemoveMember', actor, at: now(), gridId, userId }),
    async issueApiKey(actor, gridId, name) {
      const { keyId, secretHash, text } = mintApiKey();
      const at = now();
      return toApiKeyReceipt(await run({ type: 'IssueApiKey', actor, at, gridId, name, keyId, secretHash }), {
        keyId,
        apiKey: text,
        issuedAt: at,
      });
    },
    async regenerateApiKey(actor, gridId, keyId) {
      const { secretHash, text } = mintApiKey(keyId);
      const at = now();
      return toApiKeyReceipt(await run({ type: 'RegenerateApiKey', actor, at, gridId, keyId, secretHash }), {
        keyId,
        apiKey: text,
        issuedAt: at,
      });
    },
    revokeApiKey: (actor, gridId, keyId) => done({ type: 'RevokeApiKey', actor, at: now(), gridId, keyId }),
  };
}

function toGridReceipt({ position, gridId, state: { settings, createdAt } }: GridCommandOutcome): GridReceipt {
  return { position, gridId, ...assertPresent<GridSettings>(settings), createdAt };
}

function toMemberReceipt({ position, state: { members } }: GridCommandOutcome, userId: string): MemberReceipt {
  const { role, addedAt, addedBy } = assertPresent<Membership>(members.get(userId));
  return { position, userId, role, addedAt, addedBy };
}

function toApiKeyReceipt(
  { position, state: { apiKeys } }: GridCommandOutcome,
  issued: Pick<ApiKeyReceipt, 'keyId' | 'apiKey' | 'issuedAt'>,
): ApiKeyReceipt {
  const { name, createdAt } = assertPresent<ApiKeyState>(apiKeys.get(issued.keyId));
  return { position, ...issued, name, createdAt };
}

/** What a command was done to stands in the state that the command left. */
function assertPresent<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new TypeError('a command was done to what is not there');
  return thing;
}
