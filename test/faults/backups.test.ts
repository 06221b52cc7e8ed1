import assert from 'node:assert/strict';
import { scaleToBudget } from '../support/faults/budget.js';
import { startFilledService, Load, verifyBackup, type VerifiedBackup } from '../support/backups.js';

const BACKUPS = scaleToBudget('BACKUPS', 3, 100);
/** Twice the size at which the WAL restarts: backups must not prevent restarts. */
const WAL_BYTES = 128 * 2 ** 20;

/** Each restore replays the whole log, so its length must not grow with the number of backups. */
const BACKUPS_OF_A_SERVICE = 10;

describe(`${BACKUPS} backups under load (R37)`, function () {
  this.timeout(BACKUPS * 120_000 + 60_000);

  /** Creates and verifies backups of one new service. */
  async function proven(count: number): Promise<VerifiedBackup[]> {
    const { service, gridId, apiKey } = await startFilledService();
    const load = new Load(service.otlpHttpUrl, apiKey);
    const backups: VerifiedBackup[] = [];
    try {
      while (backups.length < count) backups.push(await verifyBackup(service, load, gridId, apiKey));
    } finally {
      await load.stop();
      await service.dispose();
    }
    assert.ok(
      load.ledger.every(({ outcome }) => outcome === 'acknowledged'),
      'every request was acknowledged',
    );
    return backups;
  }

  it('are complete: each restored copy matches its manifest and a replay', async () => {
    const all: VerifiedBackup[] = [];
    while (all.length < BACKUPS) all.push(...(await proven(Math.min(BACKUPS_OF_A_SERVICE, BACKUPS - all.length))));
    const largest = (of: (each: VerifiedBackup) => number): number => Math.max(...all.map(of));
    console.log(
      `      ${all.length} backups, 0 torn, of at most ${largest(({ manifest }) => manifest.events)} events; at most ${Math.round(largest(({ backupMs }) => backupMs))} ms to back up, ` +
        `${Math.round(largest(({ restoreMs }) => restoreMs))} ms to restore and prove; WAL of the log at most ${(largest(({ walBytes }) => walBytes) / 2 ** 20).toFixed(1)} MiB`,
    );
    assert.ok(largest(({ walBytes }) => walBytes) <= WAL_BYTES);
  });
});
