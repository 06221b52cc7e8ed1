import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createGridCommands, type GridCommands } from '../../../src/commands/grids/grid-commands.js';
import { gridDecider } from '../../../src/commands/grids/grid-decider.js';
import type { GridCommand } from '../../../src/commands/grids/grid-command-types.js';
import { rejectUntil } from '../../../src/commands/decider.js';
import {
  createCommandHandler,
  EVENT_BATCH_SIZE,
  MAX_ATTEMPTS,
  type CommandQueue,
} from '../../../src/commands/handle-command.js';
import { HindsightError } from '../../../src/errors.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { DamagedEvent } from '../../../src/streams/damaged-event.js';
import type { EventStore } from '../../../src/streams/event-store.js';
import { gridStream } from '../../../src/streams/stream-names.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const stream = gridStream(gridId);
const by = { actor: 'alice', at: 1_700_000_000_000, gridId };
const create: GridCommand = { ...by, type: 'CreateGrid', name: 'shop', owner: { id: 'alice', kind: 'user' } };
const rename = (name: string): GridCommand => ({ ...by, type: 'ChangeSettings', changes: { name } });

function commandsOver(store: EventStore): GridCommands {
  let keys = 0;
  return createGridCommands({
    handle: createCommandHandler(store, gridDecider),
    mintApiKey: (keyId = 'key') => {
      keys += 1;
      return { keyId, secretHash: `hash${keys}`, text: `hs_${keyId}_secret${keys}` };
    },
    newId: () => gridId,
    now: () => 42,
  });
}

describe('command handler', () => {
  it('appends the decision and returns the position of its last event', async () => {
    const store = new MemoryEventStore();
    const { position, events } = await createCommandHandler(store, gridDecider)(stream, create);
    const recorded = await store.readStream(stream);
    assert.deepEqual(
      recorded.map(({ type, data }) => ({ type, data })),
      events,
    );
    assert.equal(position, recorded.at(-1)?.position);
    assert.equal(position, await store.head());
  });

  it("writes nothing without a change, and returns the stream's position", async () => {
    const store = new MemoryEventStore();
    const handle = createCommandHandler(store, gridDecider);
    const { position } = await handle(stream, create);
    const again = await handle(stream, rename('shop'));
    assert.deepEqual([again.position, again.events], [position, []]);
    assert.equal((await store.readStream(stream)).length, 2);
  });

  it('returns the state after its events, or the current state without a change', async () => {
    const store = new MemoryEventStore();
    for (const remembered of [0, 1]) {
      const handle = createCommandHandler(store, gridDecider, remembered);
      if (remembered === 0) await handle(stream, create);
      for (const name of ['mall', 'mall', 'shop'])
        assert.equal((await handle(stream, rename(name))).state.settings?.name, name);
    }
  });

  it('decides several commands on each other and appends all or none', async () => {
    const store = new MemoryEventStore();
    const handle = createCommandHandler(store, gridDecider);
    await assert.rejects(handle(stream, create, rename('a'), rename('')), { code: 'invalid-request' });
    assert.deepEqual(await store.readStream(stream), []);
    const { events } = await handle(stream, create, rename('a'), rename('a'));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['GridCreated.v1', 'MemberSet.v1', 'GridSettingsChanged.v1'],
    );
  });

  it('rejects with code, message and fields of the rejection', async () => {
    const handle = createCommandHandler(new MemoryEventStore(), gridDecider);
    await assert.rejects(handle(stream, { ...create, name: '' }), (error: HindsightError) => {
      assert.deepEqual([error.code, error.fields.map(({ field }) => field)], ['invalid-request', ['name']]);
      return true;
    });
  });

  it('returns when a rejected command may be accepted', async () => {
    const handle = createCommandHandler(new MemoryEventStore(), {
      ...gridDecider,
      decide: () => rejectUntil(42, 'energy-exhausted', 'later'),
    });
    await assert.rejects(handle(stream, create), { code: 'energy-exhausted', message: 'later', retryAtMs: 42 });
  });

  it('returns the state of a stream without a command', async () => {
    const store = new MemoryEventStore();
    const handle = createCommandHandler(store, gridDecider, 1);
    await handle(stream, create);
    const { position, events, state } = await handle(stream);
    assert.deepEqual([position, events, state.settings?.name], [await store.head(), [], 'shop']);
  });

  it('skips events of other deciders on the stream', async () => {
    const store = new MemoryEventStore();
    const handle = createCommandHandler(store, gridDecider);
    await handle(stream, create);
    await store.append(stream, 1, [{ id: '0b0b0b0b-0000-4000-8000-000000000001', type: 'ChartDefined.v1', data: {} }]);
    assert.equal((await handle(stream, rename('b'))).events.length, 1);
  });

  it('keeps 100 parallel commands of two processes consistent', async () => {
    const store = new MemoryEventStore();
    const [here, there] = [commandsOver(store), commandsOver(store)];
    await here.createGrid('alice', 'shop', { id: 'alice', kind: 'user' });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, async (_, n) =>
        (n % 2 === 0 ? here : there).setMember('alice', gridId, `user${n}`, 'Guest'),
      ),
    );
    const recorded = await store.readStream(stream);
    const succeeded = outcomes.filter(({ status }) => status === 'fulfilled').length;
    assert.equal(recorded.length - 2, succeeded);
    assert.equal(succeeded, 100);
    assert.deepEqual(
      recorded.map(({ revision }) => revision),
      recorded.map((_, n) => n),
    );
  });

  it('serializes commands of several deciders that share a queue', async () => {
    const store = new MemoryEventStore();
    let appends = 0;
    const counting: Pick<EventStore, 'readStream' | 'append'> = {
      readStream: (...args) => store.readStream(...args),
      append: (...args) => {
        appends += 1;
        return store.append(...args);
      },
    };
    const line: CommandQueue = new Map();
    const [grids, others] = [
      createCommandHandler(counting, gridDecider, 0, line),
      createCommandHandler(counting, { ...gridDecider }, 9, line),
    ];
    await grids(stream, create);
    await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? grids : others)(stream, rename(`${n}`))));
    assert.equal(appends, 41);
    assert.equal(line.size, 0);
  });

  it('lets exactly one of two Owners leave at once', async () => {
    const store = new MemoryEventStore();
    const [here, there] = [commandsOver(store), commandsOver(store)];
    await here.createGrid('alice', 'shop', { id: 'alice', kind: 'user' });
    await here.setMember('alice', gridId, 'bob', 'Owner');
    const outcomes = await Promise.allSettled([
      here.removeMember('alice', gridId, 'alice'),
      there.removeMember('bob', gridId, 'bob'),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    assert.equal((refused?.reason as HindsightError).code, 'last-owner');
  });

  it('reads only new events of a cached stream', async () => {
    const store = new MemoryEventStore();
    const read: number[] = [];
    const counting: Pick<EventStore, 'readStream' | 'append'> = {
      readStream: async (...args) => {
        const events = await store.readStream(...args);
        read.push(events.length);
        return events;
      },
      append: (...args) => store.append(...args),
    };
    const [here, there] = [createCommandHandler(counting, gridDecider, 1), createCommandHandler(store, gridDecider)];
    await here(stream, create);
    await there(stream, rename('b'));
    assert.deepEqual((await here(stream, rename('b'))).events, []);
    assert.equal((await here(stream, rename('c'))).events.length, 1);
    assert.equal((await here(stream, rename('c'))).position, await store.head());
    assert.deepEqual(read, [0, 1, 0, 0]);
    await here('grid-another', { ...create, gridId: 'another' });
    await here(stream, rename('d'));
    assert.deepEqual(read, [0, 1, 0, 0, 0, 4]);
  });

  it('reads a long stream in batches to its end', async () => {
    const store = new MemoryEventStore();
    await createCommandHandler(store, gridDecider)(stream, create);
    const length = 2 * EVENT_BATCH_SIZE;
    const renamed = Array.from({ length: length - 2 }, (_, n) => ({
      id: randomUUID(),
      type: 'GridSettingsChanged.v1',
      data: { ...by, changes: { name: `${n}` } },
    }));
    await store.append(stream, 1, renamed);
    const parts: number[] = [];
    const counting: Pick<EventStore, 'readStream' | 'append'> = {
      readStream: async (...args) => {
        const events = await store.readStream(...args);
        parts.push(events.length);
        return events;
      },
      append: (...args) => store.append(...args),
    };
    const { state, position } = await createCommandHandler(counting, gridDecider)(stream);
    assert.deepEqual([state.settings?.name, position], [`${length - 3}`, await store.head()]);
    assert.deepEqual(parts, [EVENT_BATCH_SIZE, EVENT_BATCH_SIZE, 0]);
  });

  it('decides again after concurrent writes, also with a cached state', async () => {
    const store = new MemoryEventStore();
    const [here, there] = [createCommandHandler(store, gridDecider, 9), createCommandHandler(store, gridDecider, 9)];
    await here(stream, create);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? here : there)(stream, rename(`${n % 4}`))),
    );
    const recorded = await store.readStream(stream);
    assert.equal(recorded.length - 2, outcomes.flatMap(({ events }) => events).length);
    const names = recorded.slice(2).map(({ data }) => (data as { changes: { name: string } }).changes.name);
    assert.ok(
      names.every((name, i) => i === 0 || name !== names[i - 1]),
      'no event says what was so already',
    );
  });

  it('gives up after a bounded number of conflicts', async () => {
    const store = new MemoryEventStore();
    let appends = 0;
    const losing: Pick<EventStore, 'readStream' | 'append'> = {
      readStream: (name) => store.readStream(name),
      append: async () => {
        appends += 1;
        return { ok: false, conflict: true, revision: 7 };
      },
    };
    await assert.rejects(createCommandHandler(losing, gridDecider)(stream, create), { code: 'conflict' });
    assert.equal(appends, MAX_ATTEMPTS);
  });

  it('continues after a command failed because of the store', async () => {
    const store = new MemoryEventStore();
    let away = true;
    const flaky: Pick<EventStore, 'readStream' | 'append'> = {
      readStream: async (name) => {
        if (away) throw new HindsightError('unavailable', 'the store is unavailable');
        return store.readStream(name);
      },
      append: (name, expected, events) => store.append(name, expected, events),
    };
    const handle = createCommandHandler(flaky, gridDecider);
    await assert.rejects(handle(stream, create), { code: 'unavailable' });
    away = false;
    assert.equal((await handle(stream, create)).events.length, 2);
  });
});

describe('grid commands', () => {
  it('write who did what and when', async () => {
    const store = new MemoryEventStore();
    const commands = commandsOver(store);
    await commands.createGrid('alice', 'shop', { id: 'alice', kind: 'user' });
    await commands.changeSettings('bob', gridId, { apdexThresholdMs: 900 });
    await commands.setMember('carol', gridId, 'dave', 'User', 'user');
    await commands.removeMember('carol', gridId, 'dave');
    const recorded = await store.readStream(stream);
    assert.deepEqual(
      recorded.map(({ type }) => type),
      ['GridCreated.v1', 'MemberSet.v1', 'GridSettingsChanged.v1', 'MemberSet.v1', 'MemberRemoved.v1'],
    );
    assert.deepEqual(
      recorded.map(({ data }) => (data as { actor: string }).actor),
      ['alice', 'alice', 'bob', 'carol', 'carol'],
    );
    assert.ok(recorded.every(({ data }) => (data as { at: number }).at === 42));
  });

  it('show a key once and write only its hash', async () => {
    const store = new MemoryEventStore();
    const commands = commandsOver(store);
    await commands.createGrid('alice', 'shop');
    const issued = await commands.issueApiKey('alice', gridId, 'ci');
    const renewed = await commands.regenerateApiKey('alice', gridId, issued.keyId);
    assert.equal(renewed.keyId, issued.keyId);
    assert.notEqual(renewed.apiKey, issued.apiKey);
    assert.equal(renewed.issuedAt, 42);
    await commands.revokeApiKey('alice', gridId, issued.keyId);
    const written = JSON.stringify(await store.readStream(stream));
    assert.ok(written.includes('hash1') && !written.includes('secret1') && !written.includes('secret2'));
  });

  describe('on a stream with damaged events', () => {
    /** Like a log whose events at these revisions do not match their checksums. */
    function withDamage(store: MemoryEventStore, revisions: readonly number[]): MemoryEventStore {
      const readStream = store.readStream.bind(store);
      store.readStream = async (name, from = 0, limit = Infinity) => {
        const events = await readStream(name, from, limit);
        const damaged = events.find(({ revision }) => revisions.includes(revision));
        if (damaged !== undefined)
          throw new DamagedEvent(damaged.position, 'its header', { revision: damaged.revision });
        return events;
      };
      return store;
    }
    const filled = async (): Promise<MemoryEventStore> => {
      const store = new MemoryEventStore();
      await createCommandHandler(store, gridDecider)(stream, create);
      for (const name of ['a', 'b', 'c']) await createCommandHandler(store, gridDecider)(stream, rename(name));
      return store;
    };

    it('refuses to decide, and names the event', async () => {
      const store = await filled();
      const { position } = (await store.readStream(stream))[2];
      const head = await store.head();
      await assert.rejects(createCommandHandler(withDamage(store, [2]), gridDecider)(stream, rename('d')), {
        code: 'unavailable',
        message: new RegExp(`Event at position ${position} is damaged`),
      });
      assert.equal(await store.head(), head);
    });

    it('decides from the rest where the decider skips them, wherever they are', async () => {
      const decider = { ...gridDecider, skipsDamagedEvents: true } as const;
      for (const revisions of [[2], [2, 3], [4], [3, 4]]) {
        const store = withDamage(await filled(), revisions);
        const { state, events } = await createCommandHandler(store, decider, 1)(stream, rename('d'));
        assert.equal(events.length, 1, `${revisions.join()}`);
        assert.equal(state.settings?.name, 'd');
        assert.equal((await store.readStream(stream, 5)).length, 1, 'at the next revision');
      }
    });
  });
});
