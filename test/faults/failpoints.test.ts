import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { environmentAt, FAILPOINTS, PRELOADED, type FailpointName } from '../support/faults/failpoints.js';
import { note } from '../support/faults/figures.js';
import { drawsOf, SEED, timesOf } from '../support/faults/sizes.js';
import { Trial } from '../support/faults/trial.js';
import { until } from '../support/service.js';

const KILLS = timesOf('FAILPOINT_KILLS', 1, 50);
const DAY_MS = 86_400_000;
/** Retention marks after 30 days and cuts the log a day later. */
const AHEAD = { CLOCK_AHEAD_MS: String(40 * DAY_MS) };
/** In which the point must have been reached. */
const REACHED_MS = 30_000;

describe(`kills at ${Object.keys(FAILPOINTS).length} named points, ${KILLS} each (seed ${SEED})`, function () {
  this.timeout(KILLS * 90_000 + 60_000);
  let trial: Trial;
  const named = (wanted: (under: string) => boolean) =>
    (Object.keys(FAILPOINTS) as FailpointName[]).filter((name) => wanted(FAILPOINTS[name].under));

  /** Until the process has killed itself, or the point is not on the way. */
  async function killed(name: FailpointName): Promise<void> {
    const end = trial.service.ended();
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`never came to the point "${name}"`)), REACHED_MS).unref(),
    );
    assert.equal(await Promise.race([end, late]), null);
  }

  /** The start itself may come to the point. */
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
      it(`${name}: nothing is lost or doubled`, async () => {
        const { within, under } = FAILPOINTS[name];
        for (let cycle = 0; cycle < KILLS; cycle++) {
          await startTowards(name, 1 + drawsOf(cycle).below(within));
          const rebuilt = under === 'replay' ? trial.command('replay', 'traces').catch(() => undefined) : undefined; // it is killed on the way
          await trial.load(under === 'load' ? 4 : 0, killed(name));
          await rebuilt; // where the start itself came to the point, the command works without a service, and keeps the folder
          await trial.start();
          await trial.settle(`${name}, kill ${cycle} (seed ${SEED})`);
        }
      });
    }

    it('leave a gapless log and read models that a fresh replay agrees with', async () => {
      await trial.verify();
      note(trial.figures('kills at named points'));
    });
  });

  describe('while retention works', () => {
    beforeEach(async () => {
      trial = await Trial.start();
      await trial.load(3, new Promise((resolve) => setTimeout(resolve, 150)));
      await trial.settle('before the kill');
    });
    afterEach(() => trial.dispose());

    /** The log is cut a round after its telemetry has left the read models. */
    async function expireAll(): Promise<void> {
      await trial.service.signal('SIGTERM');
      await trial.service.start({ ...PRELOADED, ...AHEAD });
      await until(
        async () => isDeepStrictEqual(await trial.found(), { traces: 0, logs: 0 }),
        'all has expired',
        REACHED_MS,
      );
    }

    for (const name of named((under) => under === 'retention')) {
      it(`${name}: the read models are what a fresh replay makes`, async () => {
        await startTowards(name, 1 + drawsOf(0).below(FAILPOINTS[name].within), AHEAD);
        await killed(name);
        await trial.verifyReadModels();
      });
    }

    for (const name of named((under) => under === 'truncation')) {
      it(`${name}: what has expired stays away, and the next start cuts the rest`, async () => {
        await expireAll();
        await startTowards(name, 1 + drawsOf(0).below(FAILPOINTS[name].within), AHEAD);
        await killed(name);
        await trial.service.start({ ...PRELOADED, ...AHEAD });
        await until(
          async () => !(await trial.events()).some(({ type }) => /^(Traces|Logs)Received/.test(type)),
          'the log is cut',
          REACHED_MS,
        );
        assert.deepEqual(await trial.found(), { traces: 0, logs: 0 });
      });
    }
  });
});
