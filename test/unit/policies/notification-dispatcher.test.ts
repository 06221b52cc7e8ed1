import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { notificationDecider } from '../../../src/commands/notifications/notification-decider.js';
import { isRejection } from '../../../src/commands/decider.js';
import { EMPTY_NOTIFICATIONS } from '../../../src/commands/notifications/notification-state.js';
import { NotificationDispatcher } from '../../../src/policies/notification-dispatcher.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { waitUntil } from '../../support/wait-until.js';
import { settings, T0 } from '../commands/notifications/given-notifications.js';

const CHANNELS = Array.from({ length: 10 }, (_, i) => `channel-${i}`);
const SETTINGS = {
  ...settings(),
  channel: new Map(
    CHANNELS.map((id) => [id, { id, name: id, type: 'webhook', target: '', recipients: [], sealed: id }]),
  ),
};

/** A Grid with a notification that waits for each of its channels. */
function pendingOf(gridId: string) {
  return CHANNELS.reduce((state, channelId) => {
    const key = `${gridId}/${channelId}`;
    const decision = notificationDecider.decide({ type: 'RequestTest', gridId, channelId, key, at: T0 }, state);
    assert.ok(!isRejection(decision));
    return notificationDecider.evolveAll!(state, decision);
  }, EMPTY_NOTIFICATIONS);
}

describe('notification dispatcher', () => {
  it('gives each Grid a few attempts at once, and freed ones to the Grids in turn', async () => {
    const sending: { readonly gridId: string; readonly end: () => void }[] = [];
    const dispatcher = new NotificationDispatcher({
      notifications: async (_, command) =>
        ({ events: [{}], state: pendingOf(command.gridId), position: undefined }) as never,
      senders: {
        http: {
          send: (_, { request: { gridId } }) =>
            new Promise((done) => sending.push({ gridId, end: () => done({ status: 200, answer: '' }) })),
        },
        email: { send: () => assert.fail('no e-mail') },
      },
      openSecret: async () => ({ url: 'https://hooks.example' }),
      publicUrl: 'https://hindsight.example',
      signLink: async () => 'token',
      findIncident: async () => undefined,
      drawChart: async () => undefined,
      processId: 'one',
      isAlone: false,
      now: () => T0,
      random: () => 0,
      logger: SILENT_LOGGER,
    });
    const countOf = (gridId: string): number => sending.filter((one) => one.gridId === gridId).length;
    const grids = Array.from({ length: 10 }, (_, i) => `grid-${i}`);
    for (const gridId of grids) dispatcher.dispatch(gridId, pendingOf(gridId), SETTINGS);
    await waitUntil(() => sending.length >= 64, '64 attempts');
    assert.deepEqual(grids.map(countOf), [8, 8, 8, 8, 8, 8, 8, 8, 0, 0]);
    for (const one of sending.slice(0, 4)) one.end();
    dispatcher.dispatch('grid-0', pendingOf('grid-0'), SETTINGS);
    await waitUntil(() => sending.length >= 68, '4 more attempts');
    assert.deepEqual(['grid-8', 'grid-9', 'grid-0'].map(countOf), [2, 1, 9]);
    for (const one of sending) one.end();
  });

  it('ends an attempt whose receiver hangs, also after a garbage collection', async () => {
    const recorded: string[] = [];
    let waiting = 0;
    const dispatcher = new NotificationDispatcher({
      notifications: async (_, command) => {
        if (command?.type === 'RecordFailed') recorded.push(command.error);
        return { events: [{}], state: pendingOf('grid'), position: undefined } as never;
      },
      senders: {
        http: {
          send: (_channel, _content, signal) =>
            new Promise((_done, reject) => {
              waiting += 1;
              signal.addEventListener('abort', () => reject(new Error('no answer')));
            }),
        },
        email: { send: () => assert.fail('no e-mail') },
      },
      openSecret: async () => ({ url: 'https://hooks.example' }),
      publicUrl: 'https://hindsight.example',
      signLink: async () => 'token',
      findIncident: async () => undefined,
      drawChart: async () => undefined,
      processId: 'one',
      isAlone: true,
      attemptTimeoutMs: 50,
      now: () => T0,
      random: () => 0,
      logger: SILENT_LOGGER,
    });
    dispatcher.dispatch('grid', pendingOf('grid'), SETTINGS);
    await waitUntil(() => waiting === 8, 'the attempts wait for an answer');
    collectGarbage();
    await waitUntil(() => recorded.length >= 8, 'they have ended');
    assert.deepEqual([...new Set(recorded)], ['no answer']);
    await dispatcher.stop();
  });
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
