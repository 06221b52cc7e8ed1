import { gridStream } from '../../streams/stream-names.js';
import type { Precondition } from '../decider.js';
import type { CommandReceipt } from '../grids/grid-commands.js';
import type { CommandHandler } from '../handle-command.js';
import type { DatedSlo, SloCommand, SlosEvent, SlosState } from './slo-decider.js';
import type { NewSlo } from './slo-validation.js';

export interface SloReceipt extends CommandReceipt {
  readonly slo: DatedSlo;
}

/**
 * Commands on the service level objectives of a Grid. `actor` is the caller's id. Each rejects with the code of the
 * violated rule: `invalid-request`, `not-found`, `conflict` (too many), or `precondition-failed` if `onlyIf` does not
 * hold.
 */
export interface SloCommands {
  createSlo(actor: string, gridId: string, slo: NewSlo): Promise<SloReceipt>;
  /** Replaces the whole objective except its id. What was counted stays if the indicator does. */
  changeSlo(
    actor: string,
    gridId: string,
    sloId: string,
    slo: NewSlo,
    onlyIf?: Precondition<DatedSlo>,
  ): Promise<SloReceipt>;
  removeSlo(actor: string, gridId: string, sloId: string, onlyIf?: Precondition<DatedSlo>): Promise<CommandReceipt>;
}

export interface SloCommandsOptions {
  readonly handle: CommandHandler<SloCommand, SlosEvent, SlosState>;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createSloCommands({ handle, newId, now }: SloCommandsOptions): SloCommands {
  const put = async (command: SloCommand): Promise<SloReceipt> => {
    const { position, state } = await handle(gridStream(command.gridId), command);
    return { position, slo: state!.get(command.sloId)! };
  };
  return {
    createSlo: (actor, gridId, slo) => put({ type: 'CreateSlo', actor, at: now(), gridId, sloId: newId(), slo }),
    changeSlo: (actor, gridId, sloId, slo, onlyIf) =>
      put({ type: 'ChangeSlo', actor, at: now(), gridId, sloId, slo, onlyIf }),
    async removeSlo(actor, gridId, sloId, onlyIf) {
      const command: SloCommand = { type: 'DeleteSlo', actor, at: now(), gridId, sloId, onlyIf };
      const { position } = await handle(gridStream(gridId), command);
      return { position };
    },
  };
}
