import type { Precondition } from '../../commands/decider.js';
import type { CommandReceipt } from '../../commands/grids/grid-commands.js';
import { waitUntilVisible } from '../../commands/read-your-writes.js';
import { hasCode, HindsightError } from '../../errors.js';
import type { IfMatchCondition } from '../requests/conditional-request.js';
import type { ChartPort, Role } from '../route.js';

const ROLES: readonly Role[] = ['Member', 'Owner'];

/** What operations on definitions have in common: they are administration. */
export const DEFINITION_ROUTE = { grid: 'path', roles: ROLES, apiKeys: false } as const;

/** What the caller expects, asked of what the command finds: by what would be presented of it. */
export function toPrecondition<Thing>(
  condition: IfMatchCondition | undefined,
  present: (there: Thing) => object,
): Precondition<Thing> | undefined {
  return condition && ((there) => condition(present(there)));
}

/**
 * What was done, once it shows. What the commands do not know may be made for a service (`find`): that exists, so that the
 * client is told `conflict` and not `not-found`.
 */
export async function waitUntilChangeVisible<D extends CommandReceipt>(
  port: ChartPort,
  doing: Promise<D>,
  find?: () => Promise<{ readonly builtIn: boolean } | undefined>,
): Promise<D> {
  return waitUntilVisible(
    port,
    doing.catch(async (error: unknown) => {
      if (hasCode(error, 'not-found') && (await find?.())?.builtIn === true) throw createBuiltInConflict(error);
      throw error;
    }),
  );
}

function createBuiltInConflict(cause: unknown): HindsightError {
  return new HindsightError(
    'conflict',
    'This is made for a service that was discovered and cannot be changed: create one of your own.',
    [],
    { cause },
  );
}
