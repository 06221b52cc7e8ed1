import { gridStream } from '../../streams/stream-names.js';
import type { Precondition } from '../decider.js';
import type { CommandReceipt } from '../grids/grid-commands.js';
import type { CommandHandler } from '../handle-command.js';
import type { NewView, View, ViewCommand, ViewsEvent, ViewsState } from './view-decider.js';

export interface ViewReceipt extends CommandReceipt {
  readonly view: View;
}

/**
 * Commands on the saved views of a Grid. `actor` is the caller's id. Each rejects with the code of the violated rule:
 * `invalid-request`, `not-found`, `conflict` (too many), or `precondition-failed` if `onlyIf` does not hold.
 */
export interface ViewCommands {
  createView(actor: string, gridId: string, view: NewView): Promise<ViewReceipt>;
  /** Replaces the whole view except its id. */
  changeView(
    actor: string,
    gridId: string,
    viewId: string,
    view: NewView,
    onlyIf?: Precondition<View>,
  ): Promise<ViewReceipt>;
  removeView(actor: string, gridId: string, viewId: string, onlyIf?: Precondition<View>): Promise<CommandReceipt>;
}

export interface ViewCommandsOptions {
  readonly handle: CommandHandler<ViewCommand, ViewsEvent, ViewsState>;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createViewCommands({ handle, newId, now }: ViewCommandsOptions): ViewCommands {
  const put = async (command: ViewCommand): Promise<ViewReceipt> => {
    const { position, state } = await handle(gridStream(command.gridId), command);
    return { position, view: state!.get(command.viewId)! };
  };
  return {
    createView: (actor, gridId, view) => put({ type: 'CreateView', actor, at: now(), gridId, viewId: newId(), view }),
    changeView: (actor, gridId, viewId, view, onlyIf) =>
      put({ type: 'ChangeView', actor, at: now(), gridId, viewId, view, onlyIf }),
    async removeView(actor, gridId, viewId, onlyIf) {
      const { position } = await handle(gridStream(gridId), {
        ...{ type: 'DeleteView', actor, at: now(), gridId, viewId, onlyIf },
      });
      return { position };
    },
  };
}
