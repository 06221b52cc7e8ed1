import { HindsightError } from '../../errors.js';
import { deadLetterCollection } from '../../read-models/documents/dead-letter-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { Position } from '../../streams/event-store.js';
import type { ProjectionGroup } from '../projection-groups.js';
import type { Projection } from '../projection.js';
import { listDeadLetters } from './dead-letter-queue.js';

const MAX_NAMED = 10;

/**
 * A rebuild was abandoned, because its result lacks damaged events that the read model in use may have. An event of
 * which not even the type can be read may concern every projection.
 */
export class RebuildWouldLoseEvents extends HindsightError {
  constructor(projection: string, positions: readonly Position[]) {
    const count = positions.length;
    const named = positions.slice(0, MAX_NAMED).join(', ');
    super(
      'conflict',
      `${projection} was not replaced: the read model in use may have ${count} damaged ${count === 1 ? 'event' : 'events'} that a replay loses, at ${named}${count > MAX_NAMED ? ` and ${count - MAX_NAMED} more` : ''}\n  → keep it, and restore a backup made before the damage (docs/operating.md, Damaged events); to lose ${count === 1 ? 'this event' : 'these events'}, run \`hindsight replay ${projection} --accept-loss\``,
    );
  }
}

/**
 * Positions of damaged events that the version built by `owner` lacks and the version in use does not, because they were
 * projected before the damage or do not concern it; in log order.
 */
export async function findLostEvents(
  { name }: Projection,
  group: ProjectionGroup,
  owner: string,
  store: ReadModelReader,
): Promise<Position[]> {
  const built = await store.find(deadLetterCollection(owner), {});
  const damaged = built.filter(({ document }) => document.damaged === true).map(({ document }) => document.position);
  if (damaged.length === 0) return [];
  const inUse = (await listDeadLetters([group], store)).filter(
    ({ projection, lacking }) => projection === group.name && lacking.includes(name),
  );
  const lacking = new Set(inUse.map(({ position }) => position));
  return damaged.filter((position) => !lacking.has(position)).sort();
}
