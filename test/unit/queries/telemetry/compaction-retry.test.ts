import assert from 'node:assert/strict';
import type { Collection } from '../../../../src/read-models/read-model-store.js';
import { createTelemetryQueries } from '../../../../src/queries/telemetry/telemetry-queries.js';
import type { GivenSpan } from './support/requests.js';
import { GRID, TelemetryWorld } from './support/telemetry-world.js';

const AT = 1_760_000_000_000_000_000n;
const QUESTION = {
  gridId: GRID,
  range: { fromUs: Number(AT / 1000n), toUs: Number(AT / 1000n) + 1000 },
  serviceName: 'shop',
  page: 1,
  pageSize: 20,
};

function span(n: number): GivenSpan {
  const id = (n + 1).toString(16).padStart(16, '0');
  return {
    traceId: id + id,
    spanId: id,
    service: 'shop',
    operation: 'work',
    start: AT + BigInt(n),
    end: AT + BigInt(n),
  };
}

describe('queries while blocks move', () => {
  it('start over when a merge takes a block away under them', async () => {
    const world = await TelemetryWorld.empty();
    await world.addSpans([span(0)]);
    await world.addSpans([span(1)]);
    let merged = false;
    const blob = world.store.readBlob.bind(world.store);
    world.store.readBlob = async (collection: Collection<never>, id: string, name: string) => {
      if (!merged) {
        merged = true;
        await world.commit(world.spanShelf.merge([1, 2]));
      }
      return blob(collection, id, name);
    };
    const { items, totalCount } = await world.queries().findTraces(QUESTION);
    assert.equal(totalCount, 2);
    assert.deepEqual(
      items.map((item) => item.spanId),
      [span(1).spanId, span(0).spanId],
    );
  });

  it('give up with a retryable error when a block stays unreadable', async () => {
    const world = await TelemetryWorld.empty();
    await world.addSpans([span(0)]);
    world.store.readBlob = () => Promise.resolve(undefined);
    await assert.rejects(createTelemetryQueries(world.store, world.bodies).findTraces(QUESTION), {
      code: 'unavailable',
      retryable: true,
    });
  });

  it('follow a rebuilt version as soon as it is the active one', async () => {
    const world = await TelemetryWorld.empty();
    const queries = world.queries();
    await world.addSpans([span(0)]);
    assert.equal((await queries.findTraces(QUESTION)).totalCount, 1);
    await world.commit([
      { kind: 'put', collection: { name: 'projections', indexes: [] }, id: 'traces', document: { active: 2 } },
    ]);
    assert.equal((await queries.findTraces(QUESTION)).totalCount, 0);
  });

  it('pass over what retention took', async () => {
    const world = await TelemetryWorld.empty();
    const queries = world.queries();
    await world.addSpans([span(0)]);
    await world.addSpans([span(1)]);
    assert.equal((await queries.findTraces(QUESTION)).totalCount, 2);
    const generation = {
      kind: 'put',
      collection: world.spanCollections.catalogs,
      id: GRID,
      document: { gridId: GRID, generation: 1 },
    } as const;
    await world.commit([world.spanShelf.remove(1), generation]);
    assert.deepEqual(
      (await queries.findTraces(QUESTION)).items.map((item) => item.spanId),
      [span(1).spanId],
    );
  });
});
