import assert from 'node:assert/strict';
import { filledService, Load, proveBackup, type Proven } from '../../support/backups.js';

const BACKUPS = Number(process.env.BACKUPS ?? 100);
/** Twice what lets the WAL start over: no backup kept it from doing so. */
const WAL_BYTES = 128 * 2 ** 20;

/** Each restore replays the whole log, so it is not to grow with the number of backups. */
const BACKUPS_OF_A_SERVICE = 10;

describe(`${BACKUPS} backups under load (R37)`, function () {
  this.timeout(BACKUPS * 120_000 + 60_000);

  /** Of one service from its first start on. */
  async function proven(count: number): Promise<Proven[]> {
    const { service, gridId, apiKey } = await filledService();
    const load = new Load(service.otlpHttpUrl, apiKey);
    const backups: Proven[] = [];
    try {
      while (backups.length < count) backups.push(await proveBackup(service, load, gridId, apiKey));
    } finally {
      await load.stop();
      await service.dispose();
    }
    assert.ok(
      load.ledger.every(({ outcome }) => outcome === 'acknowledged'),
      'senders noticed nothing',
    );
    return backups;
  }

  it('are whole, each: restored elsewhere it says what its manifest and a fresh replay say', async () => {
    const all: Proven[] = [];
    while (all.length < BACKUPS) all.push(...(await proven(Math.min(BACKUPS_OF_A_SERVICE, BACKUPS - all.length))));
    const largest = (of: (each: Proven) => number): number => Math.max(...all.map(of));
    console.log(
      `      ${all.length} backups, 0 torn, of at most ${largest(({ manifest }) => manifest.events)} events; at most ${Math.round(largest(({ backupMs }) => backupMs))} ms to back up, ` +
        `${Math.round(largest(({ restoreMs }) => restoreMs))} ms to restore and prove; WAL of the log at most ${(largest(({ walBytes }) => walBytes) / 2 ** 20).toFixed(1)} MiB`,
    );
    assert.ok(largest(({ walBytes }) => walBytes) <= WAL_BYTES);
  });
});
