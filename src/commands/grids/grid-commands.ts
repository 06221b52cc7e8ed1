import type {
  ApiKeyKind,
  ApiKeySecret,
  GridEvent,
  GridSettings,
  MemberKind,
  Role,
} from '../../streams/events/grid-events.js';
import type { Position } from '../../streams/event-store.js';
import { gridStream } from '../../streams/stream-names.js';
import type { Precondition } from '../decider.js';
import type { GridCommand, GridRecord, NewMember } from './grid-command-types.js';
import type { ApiKeyState, GridState, Membership } from './grid-decider.js';
import type { CommandHandler } from '../handle-command.js';

/** A new API key: `text` is the complete key, which cannot be shown again. */
export interface MintedApiKey extends ApiKeySecret {
  readonly text: string;
}

/** Generates a key with a new secret, and a new id unless one is given. */
export type MintApiKey = (keyId?: string) => MintedApiKey;

/** Result of a successful command. */
export interface CommandReceipt {
  /** Read models that have reached this position reflect the change. */
  readonly position: Position;
}

/** The Grid after the command. */
export type GridReceipt = CommandReceipt & GridRecord;

/** The membership after the command. */
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
  readonly kind: ApiKeyKind;
  /** The complete key, to be shown once. */
  readonly apiKey: string;
  /** Creation of the key; regenerating the secret does not change it. Ms since 1970. */
  readonly createdAt: number;
  /** Creation of this secret, ms since 1970. */
  readonly issuedAt: number;
}

/**
 * Commands on Grids. `actor` is the caller's id. Each rejects with the code of the violated rule: `invalid-request`
 * with all field errors, `not-found`, `last-owner`, `conflict`, or `precondition-failed` if `onlyIf` does not hold.
 */
export interface GridCommands {
  /** The owner, usually the caller, becomes the first member. */
  createGrid(actor: string, name: string, owner?: NewMember): Promise<GridReceipt>;
  changeSettings(
    actor: string,
    gridId: string,
    changes: Partial<GridSettings>,
    onlyIf?: Precondition<GridRecord>,
  ): Promise<GridReceipt>;
  /**
   * Adds a member or changes its role. Without `kind` it is unchanged; a new member then counts as user and as
   * application.
   */
  setMember(actor: string, gridId: string, userId: string, role: Role, kind?: MemberKind): Promise<MemberReceipt>;
  removeMember(actor: string, gridId: string, userId: string): Promise<CommandReceipt>;
  /** Without `kind` a key of the kind `full`. Rejects with `conflict` if the Grid has as many keys as it may. */
  issueApiKey(actor: string, gridId: string, name: string, kind?: ApiKeyKind): Promise<ApiKeyReceipt>;
  /** Replaces the key's secret; the old one becomes invalid. */
  regenerateApiKey(actor: string, gridId: string, keyId: string): Promise<ApiKeyReceipt>;
  revokeApiKey(actor: string, gridId: string, keyId: string): Promise<CommandReceipt>;
}

export interface GridCommandsOptions {
  readonly handle: CommandHandler<GridCommand, GridEvent, GridState>;
  readonly mintApiKey: MintApiKey;
  /** API keys that a Grid may have; undefined: any number. */
  readonly keysPerGrid?: number | undefined;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface GridCommandOutcome extends CommandReceipt {
  readonly gridId: string;
  readonly state: GridState;
}

export function createGridCommands({
  handle,
  mintApiKey,
  keysPerGrid: maxKeys,
  newId,
  now,
}: GridCommandsOptions): GridCommands {
  const run = async (command: GridCommand): Promise<GridCommandOutcome> => {
    const { position, state } = await handle(gridStream(command.gridId), command);
    return { position, gridId: command.gridId, state };
  };
  const runAndGetPosition = async (command: GridCommand): Promise<CommandReceipt> => ({
    position: (await run(command)).position,
  });
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
    removeMember: (actor, gridId, userId) =>
      runAndGetPosition({ type: 'RemoveMember', actor, at: now(), gridId, userId }),
    async issueApiKey(actor, gridId, name, kind = 'full') {
      const { keyId, secretHash, text } = mintApiKey();
      const at = now();
      const command = { type: 'IssueApiKey', actor, at, gridId, name, kind, keyId, secretHash, maxKeys } as const;
      return toApiKeyReceipt(await run(command), { keyId, apiKey: text, issuedAt: at });
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
    revokeApiKey: (actor, gridId, keyId) =>
      runAndGetPosition({ type: 'RevokeApiKey', actor, at: now(), gridId, keyId }),
  };
}

function toGridReceipt({ position, gridId, state: { settings, createdAt } }: GridCommandOutcome): GridReceipt {
  return { position, gridId, ...requirePresent<GridSettings>(settings), createdAt };
}

function toMemberReceipt({ position, state: { members } }: GridCommandOutcome, userId: string): MemberReceipt {
  const { role, addedAt, addedBy } = requirePresent<Membership>(members.get(userId));
  return { position, userId, role, addedAt, addedBy };
}

function toApiKeyReceipt(
  { position, state: { apiKeys } }: GridCommandOutcome,
  issued: Pick<ApiKeyReceipt, 'keyId' | 'apiKey' | 'issuedAt'>,
): ApiKeyReceipt {
  const { name, kind, createdAt } = requirePresent<ApiKeyState>(apiKeys.get(issued.keyId));
  return { position, ...issued, name, kind, createdAt };
}

/** The target of a successful command exists in the resulting state. */
function requirePresent<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('The target of a command is missing from the resulting state');
  return value;
}
