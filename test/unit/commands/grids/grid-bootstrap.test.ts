import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  bootstrapFirstGrid,
  formatBootstrapNotice,
  SYSTEM_ACTOR,
  type BootstrapOptions,
  type BootstrapRecord,
} from '../../../../src/commands/grids/grid-bootstrap.js';
import { gridDecider } from '../../../../src/commands/grids/grid-decider.js';
import { createCommandHandler } from '../../../../src/commands/handle-command.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import { DamagedEvent } from '../../../../src/streams/damaged-event.js';
import { START } from '../../../../src/streams/event-store.js';
import { CLOCK_STREAM, gridStream } from '../../../../src/streams/stream-names.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const minted = { keyId: 'k1', secretHash: 'aa', text: 'hs_k1_generated' };

function optionsFor(store: MemoryEventStore, kept: BootstrapRecord[]): BootstrapOptions {
  return {
    log: store,
    handle: createCommandHandler(store, gridDecider),
    mintApiKey: () => minted,
    saveRecord: async (record) => {
      kept.push(record);
    },
    deleteRecord: async () => {
      kept.pop();
    },
    gridId,
    gridName: 'demo',
    owner: 'owner',
    otlpUrl: 'http://127.0.0.1:4318',
    now: 42,
    members: [
      { id: 'owner', kind: 'user', role: 'Owner' },
      { id: 'guest', kind: 'user', role: 'Guest' },
      { id: 'hindsight-automation', kind: 'application', role: 'Member' },
    ],
  };
}

describe('bootstrap', () => {
  it('creates Grid, members and key of an empty store in one append', async () => {
    const store = new MemoryEventStore();
    let appends = 0;
    const counting = {
      readStream: (name: string) => store.readStream(name),
      append: (...args: Parameters<typeof store.append>) => {
        appends += 1;
        return store.append(...args);
      },
    };
    const done = await bootstrapFirstGrid({
      ...optionsFor(store, []),
      handle: createCommandHandler(counting, gridDecider),
    });
    const events = (await store.readStream(gridStream(gridId))).map(({ type, data }) => ({ type, data }));
    const by = { actor: SYSTEM_ACTOR, at: 42, gridId };
    assert.equal(appends, 1);
    assert.deepEqual(events, [
      { type: 'GridCreated.v1', data: { ...by, name: 'demo' } },
      { type: 'MemberSet.v1', data: { ...by, userId: 'owner', role: 'Owner', kind: 'user' } },
      { type: 'MemberSet.v1', data: { ...by, userId: 'guest', role: 'Guest', kind: 'user' } },
      { type: 'MemberSet.v1', data: { ...by, userId: 'hindsight-automation', role: 'Member', kind: 'application' } },
      {
        type: 'ApiKeyIssued.v2',
        data: { ...by, name: 'bootstrap', keyId: 'k1', secretHash: 'aa', kind: 'full' },
      },
    ]);
    assert.equal(done?.position, await store.head());
  });

  it('leaves the owner an Owner where the directory has the same user in a lower role', async () => {
    const store = new MemoryEventStore();
    await bootstrapFirstGrid({ ...optionsFor(store, []), owner: 'guest' });
    const events = await store.readStream(gridStream(gridId));
    const roles = events
      .filter(({ type }) => type === 'MemberSet.v1')
      .map(({ data }) => data as { userId: string; role: string });
    assert.deepEqual(
      roles.map(({ userId, role }) => [userId, role]),
      [
        ['guest', 'Owner'],
        ['owner', 'Owner'],
        ['hindsight-automation', 'Member'],
      ],
    );
  });

  it('changes nothing in a store that holds anything', async () => {
    const store = new MemoryEventStore();
    const kept: BootstrapRecord[] = [];
    await bootstrapFirstGrid(optionsFor(store, kept));
    const head = await store.head();
    assert.equal(
      await bootstrapFirstGrid({ ...optionsFor(store, kept), gridId: '11111111-1111-4111-8111-111111111111' }),
      undefined,
    );
    assert.equal(await store.head(), head);
    assert.equal(kept.length, 1);
  });

  it('creates the Grid in a store that holds only what the service records of itself', async () => {
    const store = new MemoryEventStore();
    const observed = { at: 1, clock: 1 };
    await store.append(CLOCK_STREAM, 'any', [{ id: randomUUID(), type: 'ClockObserved.v1', data: observed }]);
    assert.ok(await bootstrapFirstGrid(optionsFor(store, [])));
    assert.ok((await store.readStream(gridStream(gridId))).length > 0);
  });

  it('changes nothing in a store whose first event is damaged', async () => {
    const store = new MemoryEventStore();
    store.readAll = () => Promise.reject(new DamagedEvent(START, 'its header'));
    assert.equal(await bootstrapFirstGrid(optionsFor(store, [])), undefined);
    assert.equal(await store.head(), START);
  });

  it('stores the key before it is valid, so that no crash loses it', async () => {
    const store = new MemoryEventStore();
    await assert.rejects(
      bootstrapFirstGrid({
        ...optionsFor(store, []),
        saveRecord: async () => {
          throw new Error('disk full');
        },
      }),
      /disk full/,
    );
    assert.deepEqual(await store.readStream(gridStream(gridId)), []);
    const kept: BootstrapRecord[] = [];
    const crashing = async (): Promise<never> => {
      throw new Error('killed');
    };
    await assert.rejects(bootstrapFirstGrid({ ...optionsFor(store, kept), handle: crashing }), /killed/);
    const done = await bootstrapFirstGrid(optionsFor(store, kept));
    assert.deepEqual(kept.at(-1), done?.record);
  });

  it('yields to a process that created the Grid at the same time', async () => {
    const store = new MemoryEventStore();
    const kept: BootstrapRecord[] = [];
    const [here, there] = [optionsFor(store, kept), optionsFor(store, kept)];
    const outcomes = await Promise.all([
      bootstrapFirstGrid(here),
      bootstrapFirstGrid({ ...there, handle: createCommandHandler(store, gridDecider) }),
    ]);
    assert.equal(outcomes.filter((outcome) => outcome !== undefined).length, 1);
    assert.equal(kept.length, 1);
    assert.equal(
      (await store.readStream(gridStream(gridId))).filter(({ type }) => type === 'GridCreated.v1').length,
      1,
    );
  });

  it('takes the given key', async () => {
    const store = new MemoryEventStore();
    const done = await bootstrapFirstGrid({
      ...optionsFor(store, []),
      apiKey: { keyId: 'mine', secretHash: 'cc', text: 'hs_mine_given' },
    });
    assert.equal(done?.record.apiKey, 'hs_mine_given');
    const issued = (await store.readStream(gridStream(gridId))).at(-1)?.data as { keyId: string; secretHash: string };
    assert.deepEqual([issued.keyId, issued.secretHash], ['mine', 'cc']);
  });

  it('prints Grid, key, the four variables and where they are stored', async () => {
    const done = await bootstrapFirstGrid(optionsFor(new MemoryEventStore(), []));
    assert.ok(done !== undefined);
    const notice = formatBootstrapNotice(done.record, 'data/bootstrap.json');
    for (const text of [
      gridId,
      'hs_k1_generated',
      'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318',
      'OTEL_EXPORTER_OTLP_HEADERS=api-key=hs_k1_generated',
      'OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
      'OTEL_SERVICE_NAME=',
      'data/bootstrap.json',
    ]) {
      assert.ok(notice.includes(text), text);
    }
  });
});
