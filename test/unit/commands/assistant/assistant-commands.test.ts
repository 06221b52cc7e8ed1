import assert from 'node:assert/strict';
import { INITIAL_LIMITS } from '../../../../src/accounting/usage-limits.js';
import {
  createAssistantCommands,
  type AssistantCommands,
  type ConversationTurn,
} from '../../../../src/commands/assistant/assistant-commands.js';
import { gridDecider } from '../../../../src/commands/grids/grid-decider.js';
import { createCommandHandler } from '../../../../src/commands/handle-command.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import {
  conversationsStream,
  gridStream,
  sessionsStream,
  speechStream,
  usageStream,
} from '../../../../src/streams/stream-names.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const MINUTE = 60_000;
const DAY = 86_400_000;
const T0 = Date.UTC(2026, 10, 20, 9, 30);

/** A log with a Grid, and commands over it at a moment that the test sets. */
async function world() {
  const store = new MemoryEventStore();
  await createCommandHandler(store, gridDecider)(gridStream(gridId), {
    type: 'CreateGrid',
    actor: 'alice',
    at: 1,
    gridId,
    name: 'shop',
  });
  const time = { now: T0 };
  let minted = 0;
  const commands = createAssistantCommands({ log: store, newId: () => `minted-${(minted += 1)}`, now: () => time.now });
  const reported = async (stream: string) => (await store.readStream(stream)).map(({ type, data }) => ({ type, data }));
  return { store, time, commands, reported };
}

describe('assistant commands', () => {
  it('update limits in the stream of the Grid, and answer all of them, by whom and when', async () => {
    const { store, commands, reported } = await world();
    const updated = await commands.updateLimits('owner', gridId, { dailyPromptLimit: 5 });
    assert.deepEqual(updated, {
      position: await store.head(),
      limits: { ...INITIAL_LIMITS, dailyPromptLimit: 5 },
      updatedAt: T0,
      updatedBy: 'owner',
    });
    assert.deepEqual((await reported(gridStream(gridId))).slice(1), [
      { type: 'LimitsUpdated.v1', data: { actor: 'owner', at: T0, gridId, changes: { dailyPromptLimit: 5 } } },
    ]);
    assert.deepEqual((await commands.updateLimits('other', gridId, { maxConcurrentSessions: 0 })).limits, {
      ...INITIAL_LIMITS,
      dailyPromptLimit: 5,
      maxConcurrentSessions: 0,
    });
    await assert.rejects(commands.updateLimits('owner', gridId, {}), { code: 'invalid-request' });
    await assert.rejects(commands.updateLimits('owner', 'another', { dailyPromptLimit: 5 }), { code: 'not-found' });
  });

  it('start, use, end and expire sessions in a stream of the Grid', async () => {
    const { store, time, commands, reported } = await world();
    const started = await commands.startSession('alice', gridId, 2);
    assert.deepEqual(started, {
      position: await store.head(),
      instanceId: 'minted-1',
      startedAt: T0,
      expiresAt: T0 + 30 * MINUTE,
    });
    const other = await commands.startSession('bob', gridId, 2);
    await assert.rejects(commands.startSession('bob', gridId, 2), {
      code: 'session-limit-reached',
      retryAtMs: undefined,
    });
    await assert.rejects(commands.startSession('bob', gridId, 0), {
      code: 'session-limit-reached',
      message: 'This Grid does not allow assistant sessions. An Owner can change the limit.',
    });
    time.now += 20 * MINUTE;
    assert.equal((await commands.useSession('alice', gridId, started.instanceId)).position, await store.head());
    time.now += 10 * MINUTE;
    await commands.expireSessions(gridId);
    await assert.rejects(commands.useSession('bob', gridId, other.instanceId), { code: 'session-not-found' });
    await commands.endSession('alice', gridId, started.instanceId);
    await assert.rejects(commands.endSession('alice', gridId, started.instanceId), { code: 'session-not-found' });
    assert.deepEqual(await reported(sessionsStream(gridId)), [
      { type: 'SessionStarted.v1', data: { gridId, instanceId: 'minted-1', userId: 'alice', at: T0 } },
      { type: 'SessionStarted.v1', data: { gridId, instanceId: 'minted-2', userId: 'bob', at: T0 } },
      { type: 'SessionUsed.v1', data: { gridId, instanceId: 'minted-1', at: T0 + 20 * MINUTE } },
      { type: 'SessionEnded.v1', data: { gridId, instanceId: 'minted-2', reason: 'expired', at: T0 + 30 * MINUTE } },
      { type: 'SessionEnded.v1', data: { gridId, instanceId: 'minted-1', reason: 'ended', at: T0 + 30 * MINUTE } },
    ]);
  });

  it('reserve, settle and refund prompts in a stream of the user', async () => {
    const { store, time, commands, reported } = await world();
    const first = await commands.reservePrompt('key:ab/ä', gridId, 2);
    assert.deepEqual(first, { position: await store.head(), promptId: 'minted-1', energy: 10 });
    const second = await commands.reservePrompt('key:ab/ä', gridId, 2);
    await assert.rejects(commands.reservePrompt('key:ab/ä', gridId, 2), {
      code: 'daily-prompt-limit',
      retryAtMs: Date.UTC(2026, 10, 21),
    });
    await assert.rejects(commands.reservePrompt('key:ab/ä', gridId, 0), {
      code: 'assistant-disabled',
      retryAtMs: undefined,
    });
    time.now += 1;
    assert.equal((await commands.settlePrompt('key:ab/ä', first.promptId, 3)).position, await store.head());
    await commands.refundPrompt('key:ab/ä', second.promptId);
    assert.equal((await commands.refundPrompt('key:ab/ä', second.promptId)).position, await store.head());
    const of = { userId: 'key:ab/ä', gridId };
    assert.deepEqual(await reported(usageStream('key:ab/ä')), [
      { type: 'PromptReserved.v1', data: { ...of, promptId: 'minted-1', energy: 10, at: T0 } },
      { type: 'PromptReserved.v1', data: { ...of, promptId: 'minted-2', energy: 10, at: T0 } },
      { type: 'PromptSettled.v1', data: { ...of, promptId: 'minted-1', energy: 3, reservedAt: T0, at: T0 + 1 } },
      { type: 'PromptRefunded.v1', data: { ...of, promptId: 'minted-2', reservedAt: T0, at: T0 + 1 } },
    ]);
  });

  it('answer how much energy was reserved, and when the next comes', async () => {
    const { commands } = await world();
    for (let n = 0; n < 9; n += 1)
      await commands.settlePrompt('alice', (await commands.reservePrompt('alice', gridId, 100)).promptId, 10);
    await commands.settlePrompt('alice', (await commands.reservePrompt('alice', gridId, 100)).promptId, 6);
    assert.equal((await commands.reservePrompt('alice', 'another', 100)).energy, 4);
    await assert.rejects(commands.reservePrompt('alice', gridId, 100), {
      code: 'energy-exhausted',
      retryAtMs: T0 + 60 * MINUTE,
    });
    assert.equal((await commands.reservePrompt('bob', gridId, 100)).energy, 10);
  });

  it('reserve, settle and refund speech in a stream of the Grid', async () => {
    const { store, time, commands, reported } = await world();
    const first = await commands.reserveSpeech('alice', gridId, 'synthesis', 40, 1);
    assert.deepEqual(first, { position: await store.head(), speechId: 'minted-1' });
    const second = await commands.reserveSpeech('bob', gridId, 'recognition', 20, 1);
    await assert.rejects(commands.reserveSpeech('bob', gridId, 'recognition', 0.1, 1), {
      code: 'speech-minutes-exceeded',
      retryAtMs: Date.UTC(2026, 11, 1),
    });
    time.now += 1;
    await commands.settleSpeech(gridId, first.speechId);
    assert.equal((await commands.refundSpeech(gridId, second.speechId)).position, await store.head());
    assert.deepEqual((await reported(speechStream(gridId))).slice(2), [
      {
        type: 'SpeechSettled.v1',
        data: {
          gridId,
          userId: 'alice',
          speechId: 'minted-1',
          kind: 'synthesis',
          seconds: 40,
          reservedAt: T0,
          at: T0 + 1,
        },
      },
      { type: 'SpeechRefunded.v1', data: { gridId, speechId: 'minted-2', reservedAt: T0, at: T0 + 1 } },
    ]);
  });

  it('keep each count for itself: a Grid per user, and speech per Grid', async () => {
    const { commands } = await world();
    await commands.reservePrompt('alice', gridId, 1);
    await commands.reserveSpeech('alice', gridId, 'synthesis', 60, 1);
    await commands.startSession('alice', gridId, 1);
    await commands.reservePrompt('alice', 'another', 1);
    await commands.reservePrompt('bob', gridId, 1);
    await commands.reserveSpeech('alice', 'another', 'synthesis', 60, 1);
    await commands.startSession('alice', 'another', 1);
  });
});

describe('assistant commands: conversations', () => {
  const turn = (n: number): ConversationTurn => ({
    prompt: `prompt ${n}`,
    response: `response ${n}`,
    focus: { n },
    at: T0 + n,
  });

  it('are recalled as they were recorded', async () => {
    const { store, commands, reported } = await world();
    const { conversationId, turns } = await commands.loadConversation('alice', gridId);
    assert.deepEqual([conversationId, turns], ['minted-1', []]);
    assert.equal((await commands.recordTurn('alice', gridId, conversationId, turn(1))).position, await store.head());
    await commands.recordTurn('alice', gridId, conversationId, turn(2));
    assert.deepEqual(await commands.loadConversation('alice', gridId, conversationId), {
      conversationId,
      turns: [turn(1), turn(2)],
    });
    assert.deepEqual((await reported(conversationsStream('alice')))[0], {
      type: 'TurnRecorded.v1',
      data: { userId: 'alice', gridId, conversationId, ...turn(1) },
    });
  });

  it('begin again under a new id where the id is unknown, of somebody else, of another Grid, or a day old', async () => {
    const { time, commands } = await world();
    await commands.recordTurn('alice', gridId, 'mine', turn(0));
    const otherCallers: [string, string, string][] = [
      ['alice', gridId, 'unknown'],
      ['bob', gridId, 'mine'],
      ['alice', 'another', 'mine'],
    ];
    for (const [userId, grid, id] of otherCallers) {
      const { conversationId, turns } = await commands.loadConversation(userId, grid, id);
      assert.match(conversationId, /^minted-/);
      assert.deepEqual(turns, []);
    }
    time.now = T0 + DAY - 1;
    assert.equal((await commands.loadConversation('alice', gridId, 'mine')).conversationId, 'mine');
    time.now = T0 + DAY;
    assert.match((await commands.loadConversation('alice', gridId, 'mine')).conversationId, /^minted-/);
  });

  it('write nothing when they are recalled', async () => {
    const { commands, reported } = await world();
    await commands.loadConversation('alice', gridId);
    await commands.loadConversation('alice', gridId, 'unknown');
    assert.deepEqual(await reported(conversationsStream('alice')), []);
  });
});

describe('assistant commands: after a restart', () => {
  it('decide on what the log says', async () => {
    const { store, time, commands } = await world();
    const again = (): AssistantCommands =>
      createAssistantCommands({ log: store, newId: () => 'again', now: () => time.now });
    const { instanceId } = await commands.startSession('alice', gridId, 1);
    const { promptId } = await commands.reservePrompt('alice', gridId, 1);
    const { speechId } = await commands.reserveSpeech('alice', gridId, 'synthesis', 60, 1);
    await again().useSession('alice', gridId, instanceId);
    await assert.rejects(again().startSession('alice', gridId, 1), { code: 'session-limit-reached' });
    await assert.rejects(again().reservePrompt('alice', gridId, 1), { code: 'daily-prompt-limit' });
    await assert.rejects(again().reserveSpeech('alice', gridId, 'synthesis', 1, 1), {
      code: 'speech-minutes-exceeded',
    });
    // What a crash left open is back after two minutes, and settled all the same where the work had been done.
    time.now += 2 * MINUTE;
    await again().settleSpeech(gridId, speechId);
    assert.equal((await again().reservePrompt('alice', gridId, 1)).energy, 10);
    await again().settlePrompt('alice', promptId, 2);
    await assert.rejects(again().reserveSpeech('alice', gridId, 'synthesis', 1, 1), {
      code: 'speech-minutes-exceeded',
    });
  });
});
