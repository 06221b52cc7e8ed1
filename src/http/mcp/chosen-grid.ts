import type { Principal } from '../../auth/principal.js';
import type { NamedGrid, UsageQueries } from '../../queries/assistant/questions.js';
import { headerValues } from '../headers.js';
import { Problem } from '../problems/problem.js';
import { uuidOf } from '../uuid.js';

const HEADER = 'x-grid-id';

/**
 * The Grid that a caller's tools look at: named in a header, which agents do not write, or else the only one there is. A
 * membership is not checked here. Throws 400 where the header is no UUID, or is missing and there are several.
 */
export async function chosenGrid(usage: Pick<UsageQueries, 'gridsOf'>, principal: Principal, rawHeaders: readonly string[]): Promise<string> {
  const named = headerValues(rawHeaders, HEADER);
  if (named.length > 0) return uuidIn(named);
  if (principal.kind === 'key') return principal.gridId;
  const own = await usage.gridsOf(principal.id, principal.kind);
  if (own.length === 0) throw new Problem('forbidden', 'The caller is a member of no Grid.');
  return onlyOne(own).gridId;
}

function uuidIn(named: readonly string[]): string {
  const uuid = named.length === 1 ? uuidOf(named[0] ?? '') : undefined;
  return uuid ?? refuse('must be one UUID');
}

/** A Grid without a subscription is nobody's choice as long as there is another. */
function onlyOne(own: readonly NamedGrid[]): NamedGrid {
  const active = own.filter(({ subscriptionActive }) => subscriptionActive);
  const candidates = active.length > 0 ? active : own;
  return candidates.length === 1 ? candidates[0] : refuse('must name one of the Grids that the caller is a member of');
}

function refuse(message: string): never {
  throw new Problem('invalid-request', `The header ${HEADER} ${message}.`, { errors: [{ field: HEADER, message: `${HEADER} ${message}` }] });
}
