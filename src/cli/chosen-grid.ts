import { HindsightError } from '../errors.js';
import type { Administration } from './administration.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Id of the Grid that is meant: by its id, or by a name that one Grid alone has among those that the caller sees. */
export async function chosenGrid(administration: Pick<Administration, 'grids'>, named: string): Promise<string> {
  if (UUID.test(named)) return named.toLowerCase();
  const found = (await administration.grids()).filter(({ name }) => name === named);
  if (found.length === 1) return found[0].gridSecondaryId;
  if (found.length === 0) throw new HindsightError('not-found', `there is no Grid "${named}"\n  → hindsight grids list`);
  throw new HindsightError('invalid-request', `${found.length} Grids are named "${named}"; take the id of one: ${found.map(({ gridSecondaryId }) => gridSecondaryId).join(', ')}`);
}
