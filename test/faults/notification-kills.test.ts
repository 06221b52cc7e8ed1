import assert from 'node:assert/strict';
import { cyclesWithinBudget, drawsOfCycle, SEED, timeoutWithinBudget } from '../support/faults/budget.js';
import { reportMeasurements } from '../support/faults/figures.js';
import { FlakyReceiver } from '../support/faults/flaky-receiver.js';
import {
  alertsInLog,
  assertOneKeyEach,
  countDuplicates,
  findMissing,
  toFingerprint,
} from '../support/faults/notification-account.js';
import { NotifiedGrid, sendRequests } from '../support/faults/notified-grid.js';
import { Trial } from '../support/faults/trial.js';
import type { Random } from '../support/generator/random.js';
import { signInAutomation } from '../support/sign-in.js';
import { waitUntil } from '../support/wait-until.js';

const NOTIFIED = ['cart', 'checkout', 'payments'];
const SILENCED = 'batch';
const STANDING = 'Standing';
/** Longest time (ms) between the last kill and a successful attempt after several failed ones. */
const SETTLE_MS = 240_000;

describe(`notifications under random kills, with a receiver that fails half the time (seed ${SEED})`, function () {
  this.timeout(timeoutWithinBudget(900_000));
  let trial: Trial;
  let grid: NotifiedGrid;
  let silenceId: string;
  let acknowledged: string;
  const receiver = new FlakyReceiver(drawsOfCycle(-1));

  before(async () => {
    await receiver.start();
    trial = await Trial.start({ NOTIFY_PRIVATE_ADDRESSES: 'allow' });
    grid = new NotifiedGrid(trial.gridId, () => signInAutomation(trial.service.apiUrl));
    await grid.connect(receiver.url);
    silenceId = await grid.silence(SILENCED);
    await send();
    await grid.createRule(STANDING);
    const alerts = await grid.untilFiring(STANDING, [...NOTIFIED, SILENCED]);
    acknowledged = alerts.find(({ serviceName }) => serviceName === NOTIFIED[0])!.id;
    await grid.acknowledge(acknowledged);
  });
  after(async () => {
    await trial.dispose();
    await receiver.stop();
  });

  const send = (): Promise<void> => sendRequests(trial.service.otlpHttpUrl, trial.apiKey, [...NOTIFIED, SILENCED]);

  /** Kills after a random time, or while the receiver holds an attempt, and starts again. */
  async function killOnce(draws: Random): Promise<void> {
    const delay = new Promise<void>((resolve) => setTimeout(resolve, draws.below(2_000)));
    if (draws.below(2) === 0) {
      await Promise.race([delay, new Promise<void>((resolve) => (receiver.onArrival = resolve))]);
      receiver.onArrival = () => undefined;
    } else await delay;
    await trial.service.signal('SIGKILL');
    await trial.start();
  }

  const isSilenced = (): boolean =>
    !receiver.arrivals.some(({ alerts }) => alerts.some(({ labels }) => labels.service === SILENCED));
  const repeatsOf = (alertId: string): number =>
    receiver.arrivals.filter(
      ({ reason, alerts }) =>
        reason === 'repeat' && alerts.some(({ fingerprint }) => fingerprint === toFingerprint(alertId)),
    ).length;

  it('lose no firing and no resolve, and send each under one key', async () => {
    let kills = 0;
    for (const cycle of cyclesWithinBudget('NOTIFICATION_KILL_CYCLES', 6)) {
      const draws = drawsOfCycle(cycle);
      await send();
      const rule = await grid.createRule(`Cycle ${cycle}`);
      if (draws.below(2) === 0) await grid.untilFiring(`Cycle ${cycle}`, NOTIFIED);
      await killOnce(draws);
      await grid.deleteRule(rule);
      await killOnce(draws);
      kills += 2;
      assert.ok(isSilenced(), `cycle ${cycle}: the silence holds`);
    }
    let missing: readonly string[] = [];
    await waitUntil(
      async () => {
        missing = findMissing(alertsInLog(await trial.events(), NOTIFIED), receiver.arrivals);
        return missing.length === 0;
      },
      'all is received',
      SETTLE_MS,
    ).catch(() => assert.deepEqual(missing, [], `not received; FAULTS_SEED=${SEED}`));
    assertOneKeyEach(receiver.arrivals);
    const { fired, resolved } = alertsInLog(await trial.events(), NOTIFIED);
    assert.ok(fired.length > NOTIFIED.length, 'alerts fired during the kills');
    reportMeasurements('notifications under kills', {
      kills,
      'alerts fired': fired.length,
      'alerts resolved': fired.filter(({ alertId }) => resolved.has(alertId)).length,
      requests: receiver.arrivals.length,
      'requests answered with success': receiver.taken.length,
      'duplicates, under the same key': countDuplicates(receiver.arrivals),
    });
  });

  it('send no reminder of an acknowledged alert, and of a silenced one nothing until the silence ends', async () => {
    const [alert] = (await grid.alerts(STANDING)).filter(({ id }) => id === acknowledged);
    assert.equal(typeof alert?.acknowledgedBy, 'string', 'the acknowledgement is kept');
    const other = (await grid.alerts(STANDING)).find(({ serviceName }) => serviceName === NOTIFIED[1])!;
    await waitUntil(() => repeatsOf(other.id) > 0, 'a reminder of the other alert', SETTLE_MS);
    assert.equal(repeatsOf(acknowledged), 0);
    assert.ok(isSilenced());
    await grid.endSilence(silenceId);
    await waitUntil(() => !isSilenced(), 'what still fires is sent', SETTLE_MS);
  });

  it('leave a gapless log and read models that match a replay', () => trial.verify());
});
