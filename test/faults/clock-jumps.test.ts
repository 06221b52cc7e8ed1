import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportFigures } from '../support/faults/figures.js';
import { cyclesWithinBudget, timeoutWithinBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { clockOf } from '../support/load/jumping-clock.js';
import { send } from '../support/sender.js';
import { waitUntil } from '../support/wait-until.js';

const HOUR_MS = 3_600_000;
const WRITERS = 4;
const BETWEEN_MS = 300;
/** Time (ms) until every thread of the service has read the clock offset. */
const NOTICED_MS = 100;

describe('clock jumps of an hour forward and back', function () {
  this.timeout(timeoutWithinBudget(80_000));
  let folder: string;
  let trial: Trial;

  /** Sets the clock of the service: correct, or an hour ahead. The clock of the clients does not change. */
  function jump(aheadMs: number): void {
    writeFileSync(join(folder, 'next'), String(aheadMs));
    renameSync(join(folder, 'next'), join(folder, 'offset'));
  }
  /** The current time of the service. */
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

  it('lose nothing: everything is accepted, found, in order, and counted once', async () => {
    const first = await trial.send('traces');
    for (const n of cyclesWithinBudget('CLOCK_JUMPS', 2)) {
      const aheadMs = n % 2 === 0 ? 0 : HOUR_MS;
      jump(aheadMs);
      await pause(NOTICED_MS);
      await trial.load(WRITERS, pause(BETWEEN_MS));
      // Requests from before the jump are repeated after it.
      await send(trial.service.otlpHttpUrl, trial.apiKey, first);
      await trial.settle(`after jump ${n}`);
      // A live result may be half a second old.
      await waitUntil(
        async () => Math.abs((await healthMs()) - Date.now() - aheadMs) < HOUR_MS / 2,
        `diagnostics follow jump ${n}`,
        5_000,
      );
    }
    assert.ok(
      trial.ledger.every(({ outcome }) => outcome === 'acknowledged'),
      'nothing was refused',
    );
    await waitUntil(async () => (await fetch(`${trial.service.apiUrl}/ready`)).status === 200, 'it is ready');
    await trial.verify();
    reportFigures(trial.figures('clock jumps'));
  });
});
