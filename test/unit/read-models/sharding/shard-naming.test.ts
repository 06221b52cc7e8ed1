import assert from 'node:assert/strict';
import {
  ADMINISTRATIVE_GROUPS,
  PROJECTION_GROUPS,
  SHARDED_GROUPS,
  type ProjectionGroup,
  type ProjectionVersions,
} from '../../../../src/projections/projection-groups.js';
import { FENCING_CHECKPOINT } from '../../../../src/projections/sharding/fenced-store.js';
import { rebuildOwner } from '../../../../src/projections/engine/projection-versions.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { deadLetterCollection } from '../../../../src/read-models/documents/dead-letter-documents.js';
import { recentRequestsCollection } from '../../../../src/read-models/documents/projection-documents.js';
import {
  isShardedCheckpoint,
  isShardedCollection,
  isShardedProjection,
} from '../../../../src/read-models/sharding/shard-naming.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';

const VERSIONS = [0, 1, 7, 12];

function collectionsOf(groups: readonly ProjectionGroup[]): string[] {
  return groups.flatMap(({ projections }) =>
    projections.flatMap((projection) =>
      VERSIONS.flatMap((version) => projection.contents(version).map(({ collection }) => collection.name)),
    ),
  );
}

/** Checkpoints of the live run, and of a rebuild of each projection. */
function checkpointsOf(groups: readonly ProjectionGroup[]): string[] {
  const sources = { events: new MemoryEventStore(), store: new MemoryReadModelStore(), hold: { readers: 0 } };
  const run = (group: ProjectionGroup, owner: string, versions: ProjectionVersions): readonly string[] =>
    group.createRun(versions, owner, sources).checkpoints;
  return groups.flatMap((group) => [
    ...run(group, 'live', new Map(group.projections.map(({ name }) => [name, 3]))),
    ...group.projections.flatMap((projection) =>
      run(group, rebuildOwner(projection, 12), new Map([[projection.name, 12]])),
    ),
  ]);
}

describe('sharded names', () => {
  it('are those of all collections of the projections of telemetry, in any version', () => {
    const names = collectionsOf(SHARDED_GROUPS);
    assert.ok(names.length > 80, String(names.length));
    assert.deepEqual(
      names.filter((name) => !isShardedCollection(name)),
      [],
    );
  });

  it('are those of no other projection', () => {
    const names = collectionsOf(ADMINISTRATIVE_GROUPS);
    assert.ok(names.length > 50, String(names.length));
    assert.deepEqual(names.filter(isShardedCollection), []);
  });

  it('are the checkpoints of telemetry, of live runs and of rebuilds, and the fencing checkpoint', () => {
    assert.deepEqual(
      [...checkpointsOf(SHARDED_GROUPS), FENCING_CHECKPOINT].filter((name) => !isShardedCheckpoint(name)),
      [],
    );
    assert.deepEqual(checkpointsOf(ADMINISTRATIVE_GROUPS).filter(isShardedCheckpoint), []);
  });

  it('are the states of telemetry runs, and their dead letters', () => {
    const ownersIn = (groups: readonly ProjectionGroup[]): string[] =>
      groups.flatMap(({ projections }) => projections.map((projection) => rebuildOwner(projection, 12)));
    for (const owner of ['live', ...ownersIn(SHARDED_GROUPS)]) {
      assert.ok(isShardedCollection(deadLetterCollection(owner).name), owner);
      assert.ok(isShardedCollection(recentRequestsCollection(owner).name), owner);
    }
    assert.deepEqual(
      ownersIn(ADMINISTRATIVE_GROUPS)
        .map((owner) => deadLetterCollection(owner).name)
        .filter(isShardedCollection),
      [],
    );
  });

  it('are those of the projections of telemetry', () => {
    const namesIn = (groups: readonly ProjectionGroup[]): string[] =>
      groups.flatMap(({ projections }) => projections.map(({ name }) => name));
    assert.deepEqual(namesIn(PROJECTION_GROUPS).filter(isShardedProjection), namesIn(SHARDED_GROUPS));
  });

  it('are none that only begin or end like them', () => {
    for (const name of [
      'span-blocks',
      'span-blocks.v',
      'span-blocks.v1.s3',
      'my-span-blocks.v1',
      'things.v1',
      'installation',
      'projections',
      'parked-events.things',
    ]) {
      assert.equal(isShardedCollection(name), false, name);
    }
  });
});
