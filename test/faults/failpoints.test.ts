import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { environmentAt, FAILPOINTS, PRELOADED, type FailpointName } from '../support/faults/failpoints.js';
import { reportFigures } from '../support/faults/figures.js';
import { cyclesWithinBudget, drawsOfCycle, SEED, timeoutWithinBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { waitUntil } from '../support/wait-until.js';

const POINTS = Object.keys(FAILPOINTS).length;
const DAY_MS = 86_400_000;
/** Telemetry expires after 7 days. */
const AHEAD = { CLOCK_AHEAD_MS: String(40 * DAY_MS) };
/** The log is cut a day after its telemetry has expired. */
const FURTHER_AHEAD = { CLOCK_AHEAD_MS: String(42 * DAY_MS) };
/** Time limit (ms) for reaching the failpoint. */
const REACHED_MS = 30_000;

describe(`kills at ${POINTS} failpoints (seed ${SEED})`, function () {
  this.timeout(timeoutWithinBudget(150_000));
  let trial: Trial;
  const named = (wanted: (under: string) => boolean) =>
    (Object.keys(FAILPOINTS) as FailpointName[]).filter((name) => wanted(FAILPOINTS[name].under));

  /** Waits until the process has killed itself, or the failpoint was not reached in time. */
  async function killed(name: FailpointName): Promise<void> {
    const end = trial.service.ended();
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`never came to the point "${name}"`)), REACHED_MS).unref(),
    );
    assert.equal(await Promise.race([end, late]), null);
  }

  /** The failpoint may be reached during the start. */
  async function startTowards(
    name: FailpointName,
    call: number,
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await trial.service.signal('SIGTERM');
    await trial.service
      .start({ ...environmentAt(name, call), ...more })
      .catch((error: Error) => assert.match(error.message, /ended with null|fetch failed/));
  }

  describe('under load and rebuilds', () => {
    before(async () => {
      trial = await Trial.start();
      await trial.load(3, new Promise((resolve) => setTimeout(resolve, 150)));
    });
    after(() => trial.dispose());

    for (const name of named((under) => under === 'load' || under === 'replay')) {
      it(`${name}: nothing is lost or duplicated`, async () => {
        const { within, under } = FAILPOINTS[name];
        for (const cycle of cyclesWithinBudget('FAILPOINT_KILLS', 1, 1 / POINTS)) {
          await startTowards(name, 1 + drawsOfCycle(cycle).below(within));
          const rebuilt = under === 'replay' ? trial.command('replay', 'traces').catch(() => undefined) : undefined; // it is killed before it ends
          await trial.load(under === 'load' ? 4 : 0, killed(name));
          await rebuilt; // if the start reached the failpoint, the command works without a service and locks the folder
          await trial.start();
          await trial.settle(`${name}, kill ${cycle} (seed ${SEED})`);
        }
      });
    }

    it('leave a gapless log and read models that match a replay', async () => {
      await trial.verify();
      reportFigures(trial.figures('kills at named points'));
    });
  });

  describe('during retention', () => {
    beforeEach(async () => {
      trial = await Trial.start();
      await trial.load(3, new Promise((resolve) => setTimeout(resolve, 150)));
      await trial.settle('before the kill');
    });
    afterEach(() => trial.dispose());

    /** Without it a clock that is ahead puts retention on hold. Retention follows the clock from the next start on. */
    async function confirmClock(clock: Readonly<Record<string, string>>): Promise<void> {
      await trial.service.signal('SIGTERM');
      await trial.service.start({ ...PRELOADED, ...clock });
      assert.equal(
        (await trial.command<{ clock: { kind: string } }>('retention', 'confirm-clock')).clock.kind,
        'agrees',
      );
    }

    async function expireAll(): Promise<void> {
      await confirmClock(AHEAD);
      await trial.service.signal('SIGTERM');
      await trial.service.start({ ...PRELOADED, ...AHEAD });
      await waitUntil(
        async () => isDeepStrictEqual(await trial.found(), { traces: 0, logs: 0 }),
        'all has expired',
        REACHED_MS,
      );
    }

    for (const name of named((under) => under === 'retention')) {
      it(`${name}: the read models match a replay`, async () => {
        await confirmClock(AHEAD);
        await startTowards(name, 1 + drawsOfCycle(0).below(FAILPOINTS[name].within), AHEAD);
        await killed(name);
        await trial.verifyReadModels();
      });
    }

    for (const name of named((under) => under === 'truncation')) {
      it(`${name}: expired telemetry stays deleted, and the next start truncates the rest`, async () => {
        await expireAll();
        await confirmClock(FURTHER_AHEAD);
        await startTowards(name, 1 + drawsOfCycle(0).below(FAILPOINTS[name].within), FURTHER_AHEAD);
        await killed(name);
        await trial.service.start({ ...PRELOADED, ...FURTHER_AHEAD });
        await waitUntil(
          async () => !(await trial.events()).some(({ type }) => /^(Traces|Logs)Received/.test(type)),
          'the log is cut',
          REACHED_MS,
        );
        assert.deepEqual(await trial.found(), { traces: 0, logs: 0 });
      });
    }
  });
});
