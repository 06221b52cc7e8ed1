import assert from 'node:assert/strict';
import { createAlertRuleCommands } from '../../../../src/commands/alert-rules/alert-rule-commands.js';
import { alertRulesDecider } from '../../../../src/commands/alert-rules/alert-rule-decider.js';
import { gridDecider } from '../../../../src/commands/grids/grid-decider.js';
import { createCommandHandler } from '../../../../src/commands/handle-command.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import { createDefaultAlertRules } from '../../../../src/streams/events/grid-defaults.js';
import { gridStream } from '../../../../src/streams/stream-names.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const NEW = {
  name: 'Slow',
  metric: 'latency_p95',
  operator: '>',
  threshold: 900,
  severity: 'info',
  windowMinutes: 5,
  forMinutes: 0,
  minRequests: 20,
  enabled: true,
} as const;

async function ofGrid() {
  const store = new MemoryEventStore();
  await createCommandHandler(store, gridDecider)(gridStream(gridId), {
    type: 'CreateGrid',
    actor: 'alice',
    at: 1,
    gridId,
    name: 'shop',
  });
  return {
    store,
    commands: createAlertRuleCommands({
      handle: createCommandHandler(store, alertRulesDecider),
      newId: () => 'minted',
      now: () => 42,
    }),
  };
}

describe('alert rule commands', () => {
  it('write into the stream of the Grid, with author and time, and answer the rule and where it shows', async () => {
    const { store, commands } = await ofGrid();
    const created = await commands.create('bob', gridId, NEW);
    assert.deepEqual(created, { position: await store.head(), rule: { id: 'minted', ...NEW } });
    const changed = await commands.change('carol', gridId, { ...created.rule, threshold: 800 });
    const removed = await commands.remove('dave', gridId, 'minted');
    const recorded = await store.readStream(gridStream(gridId));
    assert.deepEqual(
      recorded.map(({ type }) => type),
      ['GridCreated.v1', 'AlertRuleCreated.v3', 'AlertRuleChanged.v3', 'AlertRuleDeleted.v1'],
    );
    assert.deepEqual(
      recorded
        .slice(1)
        .map(({ data, position }) => [(data as { actor: string }).actor, (data as { at: number }).at, position]),
      [
        ['bob', 42, created.position],
        ['carol', 42, changed.position],
        ['dave', 42, removed.position],
      ],
    );
  });

  it('leave the Grid its other commands', async () => {
    const { store, commands } = await ofGrid();
    await commands.remove('bob', gridId, createDefaultAlertRules(gridId)[0].id);
    const { events } = await createCommandHandler(store, gridDecider)(gridStream(gridId), {
      type: 'ChangeSettings',
      actor: 'bob',
      at: 2,
      gridId,
      changes: { name: 'mall' },
    });
    assert.equal(events.length, 1);
  });

  it('say why they are refused', async () => {
    const { commands } = await ofGrid();
    await assert.rejects(commands.create('bob', gridId, { ...NEW, windowMinutes: 0, name: '' }), {
      code: 'invalid-request',
    });
    await assert.rejects(commands.create('bob', 'another', NEW), { code: 'not-found' });
    await assert.rejects(commands.remove('bob', gridId, 'unknown'), { code: 'not-found' });
  });
});
