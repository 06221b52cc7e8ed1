import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { note } from '../support/faults/figures.js';
import { timesOf } from '../support/faults/sizes.js';
import { Trial } from '../support/faults/trial.js';
import { clockOf } from '../support/load/jumping-clock.js';
import { send } from '../support/sender.js';
import { until } from '../support/service.js';

const JUMPS = timesOf('CLOCK_JUMPS', 2, 60);
const HOUR_MS = 3_600_000;
const WRITERS = 4;
const BETWEEN_MS = 300;
/** Until every thread of the service has looked at the clock. */
const NOTICED_MS = 100;

describe(`a clock that jumps an hour forth and back, ${JUMPS} times`, function () {
  this.timeout(JUMPS * 10_000 + 60_000);
  let folder: string;
  let trial: Trial;

  /** The clients' clock stays: the service's is right, or an hour ahead. */
  function jump(aheadMs: number): void {
    writeFileSync(join(folder, 'next'), String(aheadMs));
    renameSync(join(folder, 'next'), join(folder, 'offset'));
  }
  /** What the service takes for now. */
  const healthMs = async (): Promise<number> =>
    Date.parse((await trial.api.get<{ timestamp: string }>(`/apm/diagnostics/${trial.gridId}/health`)).body.timestamp);
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-clock-'));
    jump(0);
    trial = await Trial.start(clockOf(join(folder, 'offset')));
  });
  after(async () => {
    await trial.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('costs nothing: all is taken, found, in order, and counted once', async () => {
    const first = await trial.send('traces');
    for (let n = 1; n <= JUMPS; n++) {
      const aheadMs = n % 2 === 0 ? 0 : HOUR_MS;
      jump(aheadMs);
      await pause(NOTICED_MS);
      await trial.load(WRITERS, pause(BETWEEN_MS));
      // What was sent before the jump comes again after it.
      await send(trial.service.otlpHttpUrl, trial.apiKey, first);
      await trial.settle(`after jump ${n}`);
      // A live answer may be half a second old.
      await until(
        async () => Math.abs((await healthMs()) - Date.now() - aheadMs) < HOUR_MS / 2,
        `diagnostics follow jump ${n}`,
        5_000,
      );
    }
    assert.ok(
      trial.ledger.every(({ outcome }) => outcome === 'acknowledged'),
      'nothing was refused',
    );
    await until(async () => (await fetch(`${trial.service.apiUrl}/ready`)).status === 200, 'it is ready');
    await trial.verify();
    note({ ...trial.figures('clock jumps'), cycles: JUMPS });
  });
});
