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

/**
 * Schema of an unfinished version that is being removed. No program has it: a removal that was interrupted leaves nothing
 * that a rebuild could continue, although the checkpoint may still be there.
 */
const REMOVED_SCHEMA = 0;

/** Which version of a projection the store has. */
export type VersionStatus =
  /** Never built in this store. */
  | { readonly kind: 'absent' }
  /** Has the schema of this program and can be updated. `building`: an unfinished rebuild can be continued. */
  | { readonly kind: 'current'; readonly active: number; readonly building?: BuiltVersion }
  /** Written by another release with another schema: queries may read it, nothing may be added. */
  | { readonly kind: 'outdated'; readonly active: number; readonly building?: BuiltVersion };

export async function readVersionStatus(projection: Projection, store: ReadModelStore): Promise<VersionStatus> {
  const document = await store.get(PROJECTIONS, projection.name);
  if (document === undefined) return { kind: 'absent' };
  const kind = document.schema === projection.schema ? 'current' : 'outdated';
  const building = document.building?.schema === projection.schema ? document.building : undefined;
  return { kind, active: document.active, ...(building === undefined ? {} : { building }) };
}

/** Declares version 1 of projections that start with an empty store. */
export async function declareFirstVersions(projections: readonly Projection[], store: ReadModelStore): Promise<void> {
  const changes = projections.map(({ name, schema }) => {
    const document: ProjectionDocument = { active: 1, schema };
    return { kind: 'put', collection: PROJECTIONS, id: name, document } as const;
  });
  await commitOrThrow(changes, store);
}

/**
 * Records the version that a rebuild writes next to the active one, and whether it may lack damaged events. Continues a
 * version that was started for the same schema, and removes one of another schema.
 */
export async function beginVersion(
  projection: Projection,
  store: ReadModelStore,
  acceptLoss = false,
): Promise<BuiltVersion> {
  const document = await store.get(PROJECTIONS, projection.name);
  const { schema } = projection;
  const begun = document?.building;
  const isContinued = begun?.schema === schema;
  if (isContinued && (begun.acceptLoss ?? false) === acceptLoss) return begun;
  if (begun !== undefined && !isContinued) await removeUnfinished(projection, { ...document!, building: begun }, store);
  const next = Math.max(document?.active ?? 0, begun?.version ?? 0, document?.obsolete ?? 0) + 1;
  const building = { version: isContinued ? begun.version : next, schema, ...(acceptLoss && { acceptLoss }) };
  // Queries on a projection that was never built read its first version, which stays empty until the switch.
  await putProjectionDocument(projection, { active: 0, schema: 0, ...document, building }, store);
  return building;
}

/**
 * Removes the version that a rebuild has begun, if there is one: the next rebuild begins from the start, also if the
 * removal is interrupted.
 */
export async function abandonVersion(projection: Projection, store: ReadModelStore): Promise<void> {
  const document = await store.get(PROJECTIONS, projection.name);
  if (document?.building === undefined) return;
  const { building, ...rest } = document;
  await removeUnfinished(projection, { ...rest, building }, store);
  await putProjectionDocument(projection, rest, store);
}

/**
 * Removes the obsolete version, if there is one, and what an interrupted removal left of an unfinished one. Call when no
 * query can still be reading the former, and no rebuild runs.
 */
export async function removeObsolete(projection: Projection, store: ReadModelStore): Promise<void> {
  const { building } = (await store.get(PROJECTIONS, projection.name)) ?? {};
  if (building?.schema === REMOVED_SCHEMA) await abandonVersion(projection, store);
  const document = await store.get(PROJECTIONS, projection.name);
  if (document?.obsolete === undefined) return;
  if (document.obsolete > 0) await removeVersion(projection, document.obsolete, store);
  const { obsolete: _, ...rest } = document;
  await putProjectionDocument(projection, rest, store);
}

/** Deletes the private state of a rebuild: journal, dead letters and checkpoint. */
export async function removeRunState(owner: string, store: ReadModelStore): Promise<void> {
  await store.dropCollection(recentRequestsCollection(owner));
  await store.dropCollection(deadLetterCollection(owner));
  await store.dropCheckpoint(requestsCheckpointName(owner));
}

/** Name under which a rebuild stores its private state. */
export function rebuildOwner(projection: Projection, version: number): string {
  return `${projection.name}.v${version}`;
}

/** Records that the unfinished version is unusable, then removes what it contains. */
async function removeUnfinished(
  projection: Projection,
  document: ProjectionDocument & { readonly building: BuiltVersion },
  store: ReadModelStore,
): Promise<void> {
  const { version } = document.building;
  await putProjectionDocument(projection, { ...document, building: { version, schema: REMOVED_SCHEMA } }, store);
  await removeVersion(projection, version, store);
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

/** Expects no checkpoint, so that only a store with another owner refuses the commit. */
async function commitOrThrow(changes: readonly DocumentChange[], store: ReadModelStore): Promise<void> {
  const result = await store.commit(changes, []);
  if (!result.ok) throw new HindsightError('unavailable', 'Another projector has taken over these read models');
}

interface ObsoleteVersionRemoverParts {
  readonly store: ReadModelStore;
  readonly log: Logger;
  /** Leaves pending removals to the next start. */
  readonly signal: AbortSignal;
  /** How long queries that started before a switch may still read the former version (ms). */
  readonly graceMs?: number;
  readonly scheduler?: SchedulerLike;
}

const GRACE_MS = 10_000;

/** Removes obsolete versions of projections in the background. */
export class ObsoleteVersionRemover {
  private readonly pending = new Map<string, Promise<void>>();

  constructor(private readonly parts: ObsoleteVersionRemoverParts) {}

  /** Removes the obsolete version after the grace period, when no query can be reading it any more. */
  removeAfterGrace(projection: Projection): void {
    this.begin(projection, this.parts.graceMs ?? GRACE_MS);
  }

  /** Removes the obsolete version at a start, when no query can be reading it. */
  removeNow(projection: Projection): void {
    this.begin(projection, 0);
  }

  /** Resolves when no version of the projection awaits removal: only one can be recorded. */
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
        log.warn('Cannot remove the obsolete version of a projection; retrying at the next start', {
          projection: projection.name,
          error,
        });
    }
  }
}
