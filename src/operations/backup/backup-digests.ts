import { SILENT_LOGGER } from '../../self-telemetry/logger.js';
import { computeDigest } from '../../projections/engine/read-model-digest.js';
import { PROJECTION_GROUPS } from '../../projections/projection-groups.js';
import { checkpointName } from '../../projections/projection.js';
import { computeReplayedReadModel } from '../../projections/engine/read-model-verification.js';
import { PROJECTIONS } from '../../read-models/documents/projection-documents.js';
import type { ReadModelReader, ReadModelStore } from '../../read-models/read-model-store.js';
import type { EventReader, Position } from '../../streams/event-store.js';
import type { ReadModelDigest } from './backup-manifest.js';

/**
 * Digests of read models that have no writer at the moment. Omits those that were never built or that this release must
 * rebuild first.
 */
export async function computeStoredDigests(store: ReadModelReader): Promise<ReadModelDigest[]> {
  const digests: ReadModelDigest[] = [];
  for (const projection of PROJECTION_GROUPS.flatMap(({ projections }) => projections)) {
    const state = await store.get(PROJECTIONS, projection.name);
    if (state?.schema !== projection.schema) continue;
    const version = state.active;
    const position = await store.readCheckpoint(checkpointName(projection.name, version));
    const digest = await computeDigest(projection, version, store);
    if (digest === undefined)
      throw new Error(`The read model of ${projection.name} changed while its digest was computed`);
    digests.push({ projection: projection.name, position, digest });
  }
  return digests;
}

export interface ReplaySource {
  readonly events: EventReader;
  /** Opens an empty store for one replay; it is closed afterwards. */
  readonly scratch: () => ReadModelStore;
}

/** Digest of a replay, and the damaged events that it skipped. */
export interface ReplayedDigest extends ReadModelDigest {
  readonly damaged: readonly Position[];
}

/** Computes the same digests from a fresh replay of the log, each up to the position of its read model. */
export async function computeReplayedDigests(
  digests: readonly ReadModelDigest[],
  { events, scratch }: ReplaySource,
): Promise<ReplayedDigest[]> {
  const replayed: ReplayedDigest[] = [];
  const { signal } = new AbortController();
  for (const { projection: name, position } of digests) {
    const group = PROJECTION_GROUPS.find(({ projections }) => projections.some((each) => each.name === name));
    const projection = group?.projections.find((each) => each.name === name);
    if (group === undefined || projection === undefined) throw new Error(`This version has no projection ${name}`);
    const { digest, damaged } = await computeReplayedReadModel(projection, group, position, {
      events,
      scratch,
      signal,
      log: SILENT_LOGGER,
    });
    replayed.push({ projection: name, position, digest, damaged: damaged.map((event) => event.position) });
  }
  return replayed;
}
