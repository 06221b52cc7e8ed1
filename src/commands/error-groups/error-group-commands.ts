import { errorGroupsStream } from '../../streams/stream-names.js';
import type { CommandReceipt } from '../grids/grid-commands.js';
import type { CommandHandler } from '../handle-command.js';
import type { ErrorGroupCommand } from './error-group-decider.js';

export interface Resolution {
  /** `service.version` in which it is fixed; empty: everywhere, at once. */
  readonly fixedIn: string;
  /** Versions that have reported it, the newest first. */
  readonly knownVersions: readonly string[];
  /** Whether it is known that the group has not occurred since it was resolved last: the same once more changes nothing. */
  readonly isResolved: boolean;
}

/**
 * What people do with error groups. Callers have checked that a group to resolve exists. `actor` is the caller's id. Rejects with
 * `invalid-request` for a version that is too long.
 */
export interface ErrorGroupCommands {
  resolveErrorGroup(actor: string, gridId: string, groupId: string, resolution: Resolution): Promise<CommandReceipt>;
  /** Rejects with `not-found` if no person has resolved it. */
  reopenErrorGroup(actor: string, gridId: string, groupId: string): Promise<CommandReceipt>;
}

export interface ErrorGroupCommandsOptions {
  readonly handle: CommandHandler<ErrorGroupCommand, unknown>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createErrorGroupCommands({ handle, now }: ErrorGroupCommandsOptions): ErrorGroupCommands {
  const run = async (command: ErrorGroupCommand): Promise<CommandReceipt> => {
    const { position } = await handle(errorGroupsStream(command.gridId), command);
    return { position };
  };
  return {
    resolveErrorGroup: (actor, gridId, groupId, resolution) =>
      run({ type: 'Resolve', actor, at: now(), gridId, groupId, ...resolution }),
    reopenErrorGroup: (actor, gridId, groupId) => run({ type: 'Reopen', actor, at: now(), gridId, groupId }),
  };
}
