import { SILENT } from '../log.js';
import { digestOf } from '../projections/digest.js';
import { GROUPS } from '../projections/groups.js';
import { checkpointName } from '../projections/projection.js';
import { replayedDigest } from '../projections/verification.js';
import { PROJECTIONS } from '../read-models/projections.js';
import type { ReadModelReader, ReadModelStore } from '../read-models/store.js';
import type { EventReader } from '../streams/event-store.js';
import type { BackedUpDigest } from './manifest.js';

/** Digests of read models that nobody writes to. One that was never built, or waits to be rebuilt by this release, is left out. */
export async function digestsOf(store: ReadModelReader): Promise<BackedUpDigest[]> {
  const digests: BackedUpDigest[] = [];
  for (const projection of GROUPS.flatMap(({ projections }) => projections)) {
    const built = await store.get(PROJECTIONS, projection.name);
    if (built?.schema !== projection.schema) continue;
    const version = built.active;
    const position = await store.checkpoint(checkpointName(projection.name, version));
    const digest = await digestOf(projection, version, store);
    if (digest === undefined) throw new Error(`the read model of ${projection.name} changed while it was read`);
    digests.push({ projection: projection.name, position, digest });
  }
  return digests;
}

export interface ReplayedFrom {
  readonly events: EventReader;
  /** An empty store for one replay; closed afterwards. */
  readonly scratch: () => ReadModelStore;
}

/** The same digests from a fresh replay of the log, each up to the position that its read model had reached. */
export async function replayedDigests(digests: readonly BackedUpDigest[], { events, scratch }: ReplayedFrom): Promise<BackedUpDigest[]> {
  const replayed: BackedUpDigest[] = [];
  const { signal } = new AbortController();
  for (const { projection: name, position } of digests) {
    const group = GROUPS.find(({ projections }) => projections.some((each) => each.name === name));
    const projection = group?.projections.find((each) => each.name === name);
    if (group === undefined || projection === undefined) throw new Error(`this program has no projection ${name}`);
    const digest = await replayedDigest(projection, group, position, { events, scratch, signal, log: SILENT });
    replayed.push({ projection: name, position, digest });
  }
  return replayed;
}
