import assert from 'node:assert/strict';
import { mintApiKey } from '../../../../src/auth/api-key-secret.js';
import { createGridCommands, type GridCommands } from '../../../../src/commands/grids/grid-commands.js';
import { gridDecider, type GridState } from '../../../../src/commands/grids/grid-decider.js';
import { createCommandHandler } from '../../../../src/commands/handle-command.js';
import { hasCode } from '../../../../src/errors.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import type { GridEvent } from '../../../../src/streams/events/grid-events.js';
import { gridStream } from '../../../../src/streams/stream-names.js';

const gridId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

class World {
  readonly store = new MemoryEventStore();
  now = 1_000;

  /** As one process has them. */
  commands(): GridCommands {
    return createGridCommands({
      handle: createCommandHandler(this.store, gridDecider),
      mintApiKey,
      newId: () => gridId,
      now: () => this.now,
    });
  }

  async state(): Promise<GridState> {
    const events = (await this.store.readStream(gridStream(gridId))).map(
      ({ type, data }) => ({ type, data }) as GridEvent,
    );
    return events.reduce(gridDecider.evolve, gridDecider.initialState);
  }

  async owners(): Promise<number> {
    return [...(await this.state()).members.values()].filter(({ role }) => role === 'Owner').length;
  }
}

describe('commands about Grids', () => {
  let world: World;
  let commands: GridCommands;

  beforeEach(async () => {
    world = new World();
    commands = world.commands();
    await commands.createGrid('alice', 'shop', { id: 'alice', kind: 'user' });
  });

  it('answer the record as it is afterwards', async () => {
    world.now = 2_000;
    const { position: _, ...record } = await commands.changeSettings('alice', gridId, { retentionDays: 3 });
    assert.deepEqual(record, {
      gridId,
      name: 'shop',
      apdexThresholdMs: 500,
      errorRateThreshold: 5,
      apdexHealthThreshold: 0.7,
      retentionDays: 3,
      subscriptionActive: true,
      createdAt: 1_000,
    });
    const { position: _added, ...added } = await commands.setMember('alice', gridId, 'bob', 'User');
    assert.deepEqual(added, { userId: 'bob', role: 'User', addedAt: 2_000, addedBy: 'alice' });
    world.now = 3_000;
    const { position: _raised, ...raised } = await commands.setMember('carol', gridId, 'bob', 'Owner');
    assert.deepEqual(raised, { ...added, role: 'Owner' }, 'a change of role leaves when and by whom it was added');
  });

  it('answer also where nothing changes', async () => {
    const { name, createdAt } = await commands.changeSettings('alice', gridId, {});
    assert.deepEqual([name, createdAt], ['shop', 1_000]);
    assert.equal((await commands.setMember('alice', gridId, 'alice', 'Owner')).role, 'Owner');
    assert.equal((await world.store.readStream(gridStream(gridId))).length, 2);
  });

  it('give a key a new secret, and leave its name and age', async () => {
    const issued = await commands.issueApiKey('alice', gridId, 'ci');
    world.now = 2_000;
    const again = await commands.regenerateApiKey('bob', gridId, issued.keyId);
    assert.deepEqual([again.keyId, again.name, again.createdAt, again.issuedAt], [issued.keyId, 'ci', 1_000, 2_000]);
    assert.notEqual(again.apiKey, issued.apiKey);
    assert.doesNotMatch(
      JSON.stringify((await world.store.readStream(gridStream(gridId))).map(({ data }) => data)),
      new RegExp(again.apiKey.split('_')[2] ?? 'none'),
    );
  });

  describe('with a hundred Owners who all leave at once', () => {
    const names = Array.from({ length: 99 }, (_, i) => `owner ${i}`);

    beforeEach(async () => {
      for (const name of names) await commands.setMember('alice', gridId, name, 'Owner');
    });

    async function leave(processes: readonly GridCommands[]): Promise<{ gone: number; codes: Set<string> }> {
      const leaving = ['alice', ...names].map((name, i) =>
        processes[i % processes.length].removeMember(name, gridId, name),
      );
      const outcomes = await Promise.allSettled(leaving);
      const codes = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected'
          ? [['last-owner', 'conflict'].find((code) => hasCode(outcome.reason, code as 'conflict')) ?? 'another']
          : [],
      );
      return { gone: outcomes.length - codes.length, codes: new Set(codes) };
    }

    it('keep one, in one process', async () => {
      assert.deepEqual(await leave([commands]), { gone: 99, codes: new Set(['last-owner']) });
      assert.equal(await world.owners(), 1);
    });

    it('keep at least one, in ten independent processes', async () => {
      const { gone, codes } = await leave(Array.from({ length: 10 }, () => world.commands()));
      assert.ok(!codes.has('another'));
      assert.equal(await world.owners(), 100 - gone);
      assert.ok(gone < 100);
    });
  });
});
