import assert from 'node:assert/strict';
import {
  type AssistantCommands,
  createAssistantCommands,
  withVisibleUsage,
} from '../../../../src/commands/assistant/assistant-commands.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import type { Position } from '../../../../src/streams/event-store.js';
import { FakeAssistantCommands } from '../../../support/fake-assistant-commands.js';

describe('visible charges', () => {
  const charges: Record<string, (commands: AssistantCommands) => Promise<unknown>> = {
    reservePrompt: (commands) => commands.reservePrompt('ada', 'grid', 5),
    settlePrompt: (commands) => commands.settlePrompt('ada', 'p', 3),
    refundPrompt: (commands) => commands.refundPrompt('ada', 'p'),
    settleSpeech: (commands) => commands.settleSpeech('grid', 's'),
    refundSpeech: (commands) => commands.refundSpeech('grid', 's'),
  };
  const given: Record<string, unknown[]> = {
    reservePrompt: ['ada', 'grid', 5],
    settlePrompt: ['ada', 'p', 3],
    refundPrompt: ['ada', 'p'],
    settleSpeech: ['grid', 's'],
    refundSpeech: ['grid', 's'],
  };

  for (const [name, charge] of Object.entries(charges)) {
    it(`${name} resolves once it is visible`, async () => {
      const fake = new FakeAssistantCommands();
      let show = (): void => undefined;
      const waitedFor: Position[] = [];
      let isDone = false;
      const asked = new Promise<void>((resolve) => {
        const commands = withVisibleUsage(fake, {
          waitForPosition(position) {
            waitedFor.push(position);
            resolve();
            return new Promise<void>((reached) => (show = reached));
          },
        });
        void charge(commands).then(() => (isDone = true));
      });
      await asked;
      // Whatever does not wait is done by then.
      await new Promise(setImmediate);
      assert.deepEqual([isDone, waitedFor, fake.done], [false, ['7'], [{ name, with: given[name] }]]);
      show();
      await new Promise(setImmediate);
      assert.equal(isDone, true);
    });
  }

  it('succeed if they are not visible in time, and keep their errors', async () => {
    const fake = new FakeAssistantCommands();
    const commands = withVisibleUsage(fake, {
      waitForPosition: () => Promise.reject(new Error('the projector is unavailable')),
    });
    assert.deepEqual(await commands.settlePrompt('ada', 'p', 3), { position: '7' });
    fake.refusal = new Error('refused');
    await assert.rejects(commands.refundPrompt('ada', 'p'), /refused/);
  });

  it('do not wait for anything else', async () => {
    const plain = createAssistantCommands({ log: new MemoryEventStore(), newId: () => 'minted', now: () => 0 });
    const commands = withVisibleUsage(plain, { waitForPosition: () => assert.fail('waits') });
    assert.equal((await commands.startSession('ada', 'grid', 5)).instanceId, 'minted');
  });
});
