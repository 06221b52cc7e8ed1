import type { UsageQueries } from '../../queries/assistant/questions.js';
import { Problem } from '../problems/problem.js';
import type { Route } from '../route.js';
import { uuidOf } from '../uuid.js';
import type { Caller } from './credentials.js';
import { permitted } from './membership.js';

/** An assistant instance that is in use. */
export interface Instance {
  readonly instanceId: string;
  readonly gridId: string;
}

/**
 * The instance that the path names; undefined for routes that are about none. 404 unless it is in use, and by this
 * caller: somebody else's goes the same way to the same words as one that never was.
 */
export async function findInstance(usage: UsageQueries, { grid }: Route, caller: Caller, params: Readonly<Record<string, string>>, nowMs: number): Promise<Instance | undefined> {
  if (grid !== 'instance') return undefined;
  const { id } = permitted(caller);
  const instanceId = uuidOf(params['instanceSecondaryId'] ?? '');
  const session = instanceId === undefined ? undefined : await usage.session(instanceId, nowMs);
  if (session?.userId !== id) throw new Problem('session-not-found', 'No assistant session of the caller is in use under this id.');
  return { instanceId: session.instanceId, gridId: session.gridId };
}
