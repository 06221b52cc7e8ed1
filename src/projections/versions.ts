import { HindsightError } from '../errors.js';
import { PROJECTIONS, type BuiltVersion, type ProjectionDocument } from '../read-models/projections.js';
import { parkedEvents } from '../read-models/parked-events.js';
import { recentRequests } from '../read-models/requests.js';
import type { Change, ReadModelStore } from '../read-models/store.js';
import { requestsCheckpoint } from './groups.js';
import { checkpointName, type Projection } from './projection.js';

/** Where a projection stands in the store. */
export type Standing =
  /** Never built here. */
  | { readonly kind: 'absent' }
  /** Fit to be kept current. `building`: a rebuild was begun and can go on. */
  | { readonly kind: 'current'; readonly active: number; readonly building?: number }
  /** Written by another release in another shape: queries may read it, nothing may be added. */
  | { readonly kind: 'outdated'; readonly active: number; readonly building?: number };

export async function standingOf(projection: Projection, store: ReadModelStore): Promise<Standing> {
  const document = await store.get(PROJECTIONS, projection.name);
  if (document === undefined) return { kind: 'absent' };
  const kind = document.schema === projection.schema ? 'current' : 'outdated';
  const building = document.building?.schema === projection.schema ? document.building.version : undefined;
  return { kind, active: document.active, ...(building === undefined ? {} : { building }) };
}

/** Declares version 1 of projections that start with an empty log of their own. */
export async function declare(projections: readonly Projection[], store: ReadModelStore): Promise<void> {
  const changes = projections.map(({ name, schema }) => {
    const document: ProjectionDocument = { active: 1, schema };
    return { kind: 'put', collection: PROJECTIONS, id: name, document } as const;
  });
  await committed(changes, store);
}

/** Notes which version is being built beside the active one; goes on with one that was begun for the same schema. */
export async function beginBuilding(projection: Projection, store: ReadModelStore): Promise<BuiltVersion> {
  const document = await store.get(PROJECTIONS, projection.name);
  const { schema } = projection;
  if (document?.building?.schema === schema) return document.building;
  if (document?.building !== undefined) await removeVersion(projection, document.building.version, store);
  const version = Math.max(document?.active ?? 0, document?.building?.version ?? 0, document?.obsolete ?? 0) + 1;
  const building = { version, schema };
  // A projection that was never built answers from its first version, which stays empty until then.
  await put(projection, { active: 0, schema: 0, ...document, building }, store);
  return building;
}

/** Removes the former version that waits for it. Call when no query can still be reading it. */
export async function removeObsolete(projection: Projection, store: ReadModelStore): Promise<void> {
  const document = await store.get(PROJECTIONS, projection.name);
  if (document?.obsolete === undefined) return;
  if (document.obsolete > 0) await removeVersion(projection, document.obsolete, store);
  const { obsolete: _, ...rest } = document;
  await put(projection, rest, store);
}

/** Forgets what the run of a rebuild kept for itself. */
export async function removeRun(owner: string, store: ReadModelStore): Promise<void> {
  await store.drop(recentRequests(owner));
  await store.drop(parkedEvents(owner));
  await store.dropCheckpoint(requestsCheckpoint(owner));
}

/** Name of the state that a rebuild keeps for itself. */
export function rebuildOwner(projection: Projection, version: number): string {
  return `${projection.name}.v${version}`;
}

async function removeVersion(projection: Projection, version: number, store: ReadModelStore): Promise<void> {
  for (const { collection } of projection.contents(version)) await store.drop(collection);
  await store.dropCheckpoint(checkpointName(projection.name, version));
  await removeRun(rebuildOwner(projection, version), store);
}

async function put(projection: Projection, document: ProjectionDocument, store: ReadModelStore): Promise<void> {
  await committed([{ kind: 'put', collection: PROJECTIONS, id: projection.name, document }], store);
}

/** No checkpoint is expected, so that only a store that has another owner by now refuses. */
async function committed(changes: readonly Change[], store: ReadModelStore): Promise<void> {
  const result = await store.commit(changes, []);
  if (!result.ok) throw new HindsightError('unavailable', 'another projector keeps these read models now');
}
