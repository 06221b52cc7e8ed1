import assert from 'node:assert/strict';
import { ADMINISTRATIVE_GROUPS, GROUPS, SHARED_GROUPS, type ProjectionGroup, type Versions } from '../../../src/projections/groups.js';
import { TENURE } from '../../../src/projections/shares/tenured-store.js';
import { rebuildOwner } from '../../../src/projections/versions.js';
import { MemoryReadModelStore } from '../../../src/read-models/adapters/memory/read-model-store.js';
import { parkedEvents } from '../../../src/read-models/parked-events.js';
import { recentRequests } from '../../../src/read-models/requests.js';
import { isSharedCheckpoint, isSharedCollection, isSharedProjection } from '../../../src/read-models/shares/shared-names.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';

const VERSIONS = [0, 1, 7, 12];

function collectionsOf(groups: readonly ProjectionGroup[]): string[] {
  return groups.flatMap(({ projections }) => projections.flatMap((projection) => VERSIONS.flatMap((version) => projection.contents(version).map(({ collection }) => collection.name))));
}

/** Checkpoints of the live run, and of a rebuild of each projection. */
function checkpointsOf(groups: readonly ProjectionGroup[]): string[] {
  const sources = { events: new MemoryEventStore(), store: new MemoryReadModelStore(), hold: { readers: 0 } };
  const run = (group: ProjectionGroup, owner: string, versions: Versions): readonly string[] => group.run(versions, owner, sources).checkpoints;
  return groups.flatMap((group) => [
    ...run(group, 'live', new Map(group.projections.map(({ name }) => [name, 3]))),
    ...group.projections.flatMap((projection) => run(group, rebuildOwner(projection, 12), new Map([[projection.name, 12]]))),
  ]);
}

describe('names that each share has of its own', () => {
  it('are those of all collections of the projections of telemetry, in any version', () => {
    const names = collectionsOf(SHARED_GROUPS);
    assert.ok(names.length > 80, String(names.length));
    assert.deepEqual(names.filter((name) => !isSharedCollection(name)), []);
  });

  it('are those of no other projection', () => {
    const names = collectionsOf(ADMINISTRATIVE_GROUPS);
    assert.ok(names.length > 50, String(names.length));
    assert.deepEqual(names.filter(isSharedCollection), []);
  });

  it('are the checkpoints of telemetry, of live runs and of rebuilds, and the tenure of who writes', () => {
    assert.deepEqual([...checkpointsOf(SHARED_GROUPS), TENURE].filter((name) => !isSharedCheckpoint(name)), []);
    assert.deepEqual(checkpointsOf(ADMINISTRATIVE_GROUPS).filter(isSharedCheckpoint), []);
  });

  it('are the states of runs of telemetry, and what they park', () => {
    const ownersIn = (groups: readonly ProjectionGroup[]): string[] => groups.flatMap(({ projections }) => projections.map((projection) => rebuildOwner(projection, 12)));
    for (const owner of ['live', ...ownersIn(SHARED_GROUPS)]) {
      assert.ok(isSharedCollection(parkedEvents(owner).name), owner);
      assert.ok(isSharedCollection(recentRequests(owner).name), owner);
    }
    assert.deepEqual(ownersIn(ADMINISTRATIVE_GROUPS).map((owner) => parkedEvents(owner).name).filter(isSharedCollection), []);
  });

  it('are those of the projections of telemetry', () => {
    const namesIn = (groups: readonly ProjectionGroup[]): string[] => groups.flatMap(({ projections }) => projections.map(({ name }) => name));
    assert.deepEqual(namesIn(GROUPS).filter(isSharedProjection), namesIn(SHARED_GROUPS));
  });

  it('are none that only begin or end like them', () => {
    for (const name of ['span-blocks', 'span-blocks.v', 'span-blocks.v1.s3', 'my-span-blocks.v1', 'things.v1', 'installation', 'projections', 'parked-events.things']) {
      assert.equal(isSharedCollection(name), false, name);
    }
  });
});
