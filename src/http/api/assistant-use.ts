import type { Seat } from '../../assistant/assistant.js';
import type { Done } from '../../commands/grid-commands.js';
import { EVERY_ROLE, type AssistantPort, type Call } from '../route.js';

/** What operations by an assistant instance have in common: every member may use theirs. */
export const BY_INSTANCE = { tag: 'Assistant', grid: 'instance', roles: EVERY_ROLE } as const;

/** Who calls, by which instance, in which Grid. */
export function seatOf({ principal, instance }: Pick<Call<unknown, unknown, unknown>, 'principal' | 'instance'>): Seat {
  if (instance === undefined) throw new TypeError('The route is about no instance');
  return { userId: principal.id, ...instance };
}

/** Resolves once what was done shows, or after a while: it is durable, whether or not it shows in time. */
export async function shown<D extends Done>(port: AssistantPort, doing: Promise<D>): Promise<D> {
  const done = await doing;
  await port.whenAt(done.position).catch(() => undefined);
  return done;
}
