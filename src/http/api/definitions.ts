import type { OnlyIf } from '../../commands/decider.js';
import type { Done } from '../../commands/grid-commands.js';
import { shown } from '../../commands/shown.js';
import { hasCode, HindsightError } from '../../errors.js';
import type { Condition } from '../entity-tag.js';
import type { ChartPort, Role } from '../route.js';

const ROLES: readonly Role[] = ['Member', 'Owner'];

/** What operations on definitions have in common: they are administration. */
export const DEFINITIONS = { grid: 'path', roles: ROLES, apiKeys: false } as const;

/** What the caller expects, asked of what the command finds: by what would be presented of it. */
export function onlyIf<Thing>(condition: Condition | undefined, present: (there: Thing) => object): OnlyIf<Thing> | undefined {
  return condition && ((there) => condition(present(there)));
}

/**
 * What was done, once it shows. What the commands do not know may be made for a service (`find`): that exists, so that the
 * client is told `conflict` and not `not-found`.
 */
export async function changed<D extends Done>(port: ChartPort, doing: Promise<D>, find?: () => Promise<{ readonly builtIn: boolean } | undefined>): Promise<D> {
  return shown(port, doing.catch(async (error: unknown) => {
    if (hasCode(error, 'not-found') && (await find?.())?.builtIn === true) throw builtIn(error);
    throw error;
  }));
}

function builtIn(cause: unknown): HindsightError {
  return new HindsightError('conflict', 'This is made for a service that was discovered and cannot be changed: create one of your own.', [], { cause });
}
