import { HindsightError } from '../../errors.js';
import {
  type BuiltVersion,
  type ProjectionDocument,
  PROJECTIONS,
  recentRequestsCollection,
} from '../../read-models/documents/projection-documents.js';
import { deadLetterCollection } from '../../read-models/documents/dead-letter-documents.js';
import type { DocumentChange, ReadModelStore } from '../../read-models/read-model-store.js';
import { requestsCheckpointName } from '../projection-groups.js';
import { checkpointName, type Projection } from '../projection.js';
import { asyncScheduler, fromEvent, lastValueFrom, type SchedulerLike, takeUntil, timer } from 'rxjs';
import type { Logger } from '../../self-telemetry/logger.js';

/** Where a projection stands in the store. */
export type VersionStatus =
  /** Never built here. */
  | { readonly kind: 'absent' }
  /** Fit to be kept current. `building`: a rebuild was begun and can go on. */
  | { readonly kind: 'current'; readonly active: number; readonly building?: number }
  /** Written by another release in another shape: queries may read it, nothing may be added. */
  | { readonly kind: 'outdated'; readonly active: number; readonly building?: number };

export async function readVersionStatus(projection: Projection, store: ReadModelStore): Promise<VersionStatus> {
  const document = await store.get(PROJECTIONS, projection.name);
  if (document === undefined) return { kind: 'absent' };
  const kind = document.schema === projection.schema ? 'current' : 'outdated';
  const building = document.building?.schema === projection.schema ? document.building.version : undefined;
  return { kind, active: document.active, ...(building === undefined ? {} : { building }) };
}

/** Declares version 1 of projections that start with an empty log of their own. */
export async function declareFirstVersions(projections: readonly Projection[], store: ReadModelStore): Promise<void> {
  const changes = projections.map(({ name, schema }) => {
    const document: ProjectionDocument = { active: 1, schema };
    return { kind: 'put', collection: PROJECTIONS, id: name, document } as const;
  });
  await commitOrThrow(changes, store);
}

/** Notes which version is being built beside the active one; goes on with one that was begun for the same schema. */
export async function beginVersion(projection: Projection, store: ReadModelStore): Promise<BuiltVersion> {
  const document = await store.get(PROJECTIONS, projection.name);
  const { schema } = projection;
  if (document?.building?.schema === schema) return document.building;
  if (document?.building !== undefined) await removeVersion(projection, document.building.version, store);
  const version = Math.max(document?.active ?? 0, document?.building?.version ?? 0, document?.obsolete ?? 0) + 1;
  const building = { version, schema };
  // A projection that was never built answers from its first version, which stays empty until then.
  await putProjectionDocument(projection, { active: 0, schema: 0, ...document, building }, store);
  return building;
}

/** Removes the former version that waits for it. Call when no query can still be reading it. */
export async function removeObsolete(projection: Projection, store: ReadModelStore): Promise<void> {
  const document = await store.get(PROJECTIONS, projection.name);
  if (document?.obsolete === undefined) return;
  if (document.obsolete > 0) await removeVersion(projection, document.obsolete, store);
  const { obsolete: _, ...rest } = document;
  await putProjectionDocument(projection, rest, store);
}

/** Forgets what the run of a rebuild kept for itself. */
export async function removeRunState(owner: string, store: ReadModelStore): Promise<void> {
  await store.dropCollection(recentRequestsCollection(owner));
  await store.dropCollection(deadLetterCollection(owner));
  await store.dropCheckpoint(requestsCheckpointName(owner));
}

/** Name of the state that a rebuild keeps for itself. */
export function rebuildOwner(projection: Projection, version: number): string {
  return `${projection.name}.v${version}`;
}

async function removeVersion(projection: Projection, version: number, store: ReadModelStore): Promise<void> {
  for (const { collection } of projection.contents(version)) await store.dropCollection(collection);
  await store.dropCheckpoint(checkpointName(projection.name, version));
  await removeRunState(rebuildOwner(projection, version), store);
}

async function putProjectionDocument(
  projection: Projection,
  document: ProjectionDocument,
  store: ReadModelStore,
): Promise<void> {
  await commitOrThrow([{ kind: 'put', collection: PROJECTIONS, id: projection.name, document }], store);
}

/** No checkpoint is expected, so that only a store that has another owner by now refuses. */
async function commitOrThrow(changes: readonly DocumentChange[], store: ReadModelStore): Promise<void> {
  const result = await store.commit(changes, []);
  if (!result.ok) throw new HindsightError('unavailable', 'another projector keeps these read models now');
}

interface ObsoleteVersionRemoverParts {
  readonly store: ReadModelStore;
  readonly log: Logger;
  /** Leaves what waits to the next start. */
  readonly signal: AbortSignal;
  /** How long queries that began before a swap may still read the former version (ms). */
  readonly graceMs?: number;
  readonly scheduler?: SchedulerLike;
}

const GRACE_MS = 10_000;

/** Removes former versions of projections in the background. */
export class ObsoleteVersionRemover {
  private readonly pending = new Map<string, Promise<void>>();

  constructor(private readonly parts: ObsoleteVersionRemoverParts) {}

  /** Once no query can be reading the former version any more. */
  removeAfterGrace(projection: Projection): void {
    this.begin(projection, this.parts.graceMs ?? GRACE_MS);
  }

  /** At a start: nobody reads what the process before left. */
  removeNow(projection: Projection): void {
    this.begin(projection, 0);
  }

  /** Resolves when no version of the projection waits for its removal: only one can be noted. */
  async waitUntilRemoved(projection: Projection): Promise<void> {
    await this.pending.get(projection.name);
  }

  private begin(projection: Projection, delayMs: number): void {
    this.pending.set(projection.name, this.remove(projection, delayMs));
  }

  private async remove(projection: Projection, delayMs: number): Promise<void> {
    const { store, log, signal, scheduler = asyncScheduler } = this.parts;
    const aborted = fromEvent(signal, 'abort');
    if (delayMs > 0)
      await lastValueFrom(timer(delayMs, scheduler).pipe(takeUntil(aborted)), { defaultValue: undefined });
    if (signal.aborted) return;
    try {
      await removeObsolete(projection, store);
    } catch (error) {
      if (!signal.aborted)
        log.warn('former version of a projection stays until the next start', { projection: projection.name, error });
    }
  }
}
