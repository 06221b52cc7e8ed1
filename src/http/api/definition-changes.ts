import type { Precondition } from '../../commands/decider.js';
import type { CommandReceipt } from '../../commands/grids/grid-commands.js';
import { waitUntilVisible } from '../../commands/read-your-writes.js';
import { hasCode, HindsightError } from '../../errors.js';
import type { IfMatchCondition } from '../requests/request-headers.js';
import type { ChartPort } from '../api-call.js';
import type { Role } from '../route.js';

const ROLES: readonly Role[] = ['Member', 'Owner'];

/** Common fields of operations on chart and dashboard definitions. */
export const DEFINITION_ROUTE = { grid: 'path', roles: ROLES, apiKeys: false } as const;

/** Converts an If-Match condition on the response body into a precondition on the state that the command loads. */
export function toPrecondition<State>(
  condition: IfMatchCondition | undefined,
  present: (state: State) => object,
): Precondition<State> | undefined {
  return condition && ((state) => condition(present(state)));
}

/**
 * Waits until the change is visible. If the command does not know the id, but it is that of an item generated for a service
 * (`find`), rejects with `conflict` instead of `not-found`.
 */
export async function waitUntilChangeVisible<D extends CommandReceipt>(
  port: ChartPort,
  change: Promise<D>,
  find?: () => Promise<{ readonly builtIn: boolean } | undefined>,
): Promise<D> {
  return waitUntilVisible(
    port,
    change.catch(async (error: unknown) => {
      if (hasCode(error, 'not-found') && (await find?.())?.builtIn === true) throw createBuiltInConflict(error);
      throw error;
    }),
  );
}

function createBuiltInConflict(cause: unknown): HindsightError {
  return new HindsightError(
    'conflict',
    'This item was generated for a discovered service and cannot be changed. Create your own instead.',
    [],
    { cause },
  );
}
