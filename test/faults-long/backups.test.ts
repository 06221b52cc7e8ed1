import assert from 'node:assert/strict';
import { filledService, Load, proveBackup, type Proven } from '../support/backups.js';
import type { ServiceProcess } from '../support/service.js';

const BACKUPS = Number(process.env.BACKUPS ?? 100);
/** Twice what lets the WAL start over: no backup kept it from doing so. */
const WAL_BYTES = 128 * 2 ** 20;

describe(`${BACKUPS} backups under load (R37)`, function () {
  this.timeout(BACKUPS * 60_000 + 60_000);
  let service: ServiceProcess;
  let load: Load;

  let gridId: string;
  let apiKey: string;

  before(async () => {
    ({ service, gridId, apiKey } = await filledService());
    load = new Load(service.otlpHttpUrl, apiKey);
  });
  after(async () => {
    await load.stop();
    await service.dispose();
  });

  it('are whole, each: restored elsewhere it says what its manifest and a fresh replay say', async () => {
    const proven: Proven[] = [];
    for (let n = 0; n < BACKUPS; n++) proven.push(await proveBackup(service, load, gridId, apiKey));
    const largest = (of: (each: Proven) => number): number => Math.max(...proven.map(of));
    console.log(`      ${proven.length} backups, 0 torn; the last has ${proven[proven.length - 1].manifest.events} events; at most ${Math.round(largest(({ backupMs }) => backupMs))} ms to back up, `
      + `${Math.round(largest(({ restoreMs }) => restoreMs))} ms to restore and prove; WAL of the log at most ${(largest(({ walBytes }) => walBytes) / 2 ** 20).toFixed(1)} MiB`);
    assert.ok(largest(({ walBytes }) => walBytes) <= WAL_BYTES);
    assert.ok(load.ledger.every(({ outcome }, i) => outcome === 'acknowledged' || i >= load.ledger.length - 8), 'senders noticed nothing');
  });
});
