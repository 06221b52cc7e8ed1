import assert from 'node:assert/strict';
import { BlackBox } from '../support/black-box.js';
import { FlakyReceiver } from '../support/faults/flaky-receiver.js';
import { assertOneKeyEach } from '../support/faults/notification-account.js';
import { NotifiedGrid, oneRequest } from '../support/faults/notified-grid.js';
import { Random } from '../support/generator/random.js';
import { runCliWith } from '../support/run-cli.js';
import { signInAutomation, tokenOf } from '../support/sign-in.js';
import { waitUntil } from '../support/wait-until.js';

const RULE = 'Busy';
/** Longest time (ms) for several failed attempts. */
const RETRIED_MS = 120_000;

describe('notifications of a running service', function () {
  this.timeout(240_000);
  const receiver = new FlakyReceiver(new Random(20));
  let box: BlackBox;
  let grid: NotifiedGrid;

  before(async () => {
    await receiver.start();
    box = await BlackBox.start({ NOTIFY_PRIVATE_ADDRESSES: 'allow' });
    grid = new NotifiedGrid(box.gridId, () => signInAutomation(box.service.apiUrl));
  });
  after(async () => {
    await box.dispose();
    await receiver.stop();
  });

  const isReceived = (service: string, status: string): boolean =>
    receiver.taken.some(({ alerts }) =>
      alerts.some((alert) => alert.labels.service === service && alert.status === status),
    );
  async function restart(): Promise<void> {
    await box.service.signal('SIGKILL');
    await box.service.start();
  }

  it('reach a receiver that fails half the time across kills, and nothing is sent of what is silenced', async () => {
    await grid.connect(receiver.url);
    await grid.silence('batch');
    for (const service of ['cart', 'checkout', 'batch']) await box.record('traces', oneRequest(service));
    const rule = await grid.createRule(RULE);
    const alerts = await grid.untilFiring(RULE, ['cart', 'checkout', 'batch']);
    await grid.acknowledge(alerts.find(({ serviceName }) => serviceName === 'cart')!.id);
    await waitUntil(() => receiver.arrivals.length > 0, 'an attempt is made');
    await restart();
    await waitUntil(
      () => isReceived('cart', 'firing') && isReceived('checkout', 'firing'),
      'firings arrive',
      RETRIED_MS,
    );
    const [kept] = (await grid.alerts(RULE)).filter(({ serviceName }) => serviceName === 'cart');
    assert.equal(kept?.acknowledgedBy, 'hindsight-automation');
    await grid.deleteRule(rule);
    await restart();
    await waitUntil(
      () => isReceived('cart', 'resolved') && isReceived('checkout', 'resolved'),
      'ends arrive',
      RETRIED_MS,
    );
    assertOneKeyEach(receiver.arrivals);
    assert.ok(!receiver.arrivals.some(({ text }) => text.includes('batch')));
  });

  it('can be listed, tested, acknowledged and silenced from the command line', async () => {
    const token = await tokenOf(box.service.apiUrl, 'member');
    const run = (...words: string[]) =>
      runCliWith({ HINDSIGHT_TOKEN: token }, ...words, '--url', box.service.apiUrl, '--json');
    const answer = async <T>(...words: string[]): Promise<T> => {
      const { code, stdout, stderr } = await run(...words);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout) as T;
    };
    await box.record('traces', oneRequest('search'));
    await grid.createRule('By hand');
    const [alert] = (await grid.untilFiring('By hand', ['search'])).filter(
      ({ serviceName }) => serviceName === 'search',
    );
    const { alerts } = await answer<{ alerts: { id: string }[] }>('alerts', 'list');
    assert.ok(alerts.some(({ id }) => id === alert.id));
    assert.equal((await answer<{ acknowledgedBy: string }>('alerts', 'ack', alert.id)).acknowledgedBy, 'member');
    const silence = await answer<{ id: string; matchers: object[] }>(
      ...['silence', 'add', '--service', 'search', '--label', 'tier=gold', '--for', '2h', '--reason', 'Test'],
    );
    assert.deepEqual(silence.matchers, [
      { label: 'service', operator: '=', value: 'search' },
      { label: 'tier', operator: '=', value: 'gold' },
    ]);
    assert.equal((await run('silence', 'add', '--label', 'tier', '--reason', 'Test')).code, 2);
    const listed = await answer<{ silences: { id: string }[] }>('silence', 'list');
    assert.ok(listed.silences.some(({ id }) => id === silence.id));
    await answer('silence', 'end', silence.id);
    assert.equal((await run('silence', 'end', silence.id)).code, 4);
    assert.equal((await run('silence', 'add', '--reason', 'Test')).code, 2);
    const { channels } = await answer<{ channels: { name: string }[] }>('channels', 'list');
    assert.deepEqual(
      channels.map(({ name }) => name),
      ['Receiver'],
    );
    receiver.failing = 0;
    assert.equal((await answer<{ state: string }>('channels', 'test', 'Receiver')).state, 'delivered');
  });
});
