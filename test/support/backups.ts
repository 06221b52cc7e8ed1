import assert from 'node:assert/strict';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BackupManifest } from '../../src/operations/backup/backup-manifest.js';
import type { RestoreResult } from '../../src/operations/backup/backup-restore.js';
import type { VerificationOutcome } from '../../src/operations/operations-port.js';
import { ApiClient } from './api-client.js';
import { runCli } from './run-cli.js';
import { sendUntilAcknowledged, logRecords, rootSpans, send, type Sent } from './sender.js';
import { ServiceProcess } from './service.js';
import { waitUntil } from './wait-until.js';

const WRITERS = 2;
/** Delay (ms) between two requests of a writer, since each restore replays everything sent so far. */
const PAUSE_MS = 20;
const RANGE = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z', pageSize: 1 };

/** Writers that send one request after another until stopped. */
export class Load {
  readonly ledger: Sent[] = [];
  private stopped = false;
  private readonly writers: Promise<void>[];

  constructor(otlpUrl: string, apiKey: string) {
    const writer = async (n: number): Promise<void> => {
      for (let k = 0; !this.stopped; k++) {
        const request = (n + k) % 2 === 0 ? rootSpans(50) : logRecords(50);
        this.ledger.push(request);
        await send(otlpUrl, apiKey, request);
        await setTimeout(PAUSE_MS);
      }
    };
    this.writers = Array.from({ length: WRITERS }, (_, n) => writer(n));
  }

  acknowledged(signal: Sent['signal']): number {
    return this.ledger
      .filter((each) => each.signal === signal && each.outcome === 'acknowledged')
      .reduce((sum, { size }) => sum + size, 0);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.writers);
  }
}

export interface VerifiedBackup {
  readonly manifest: BackupManifest;
  /** Maximum size (bytes) of the WAL of the log during the backup. */
  readonly walBytes: number;
  readonly backupMs: number;
  readonly restoreMs: number;
}

/**
 * Creates a backup of a service under load and restores it. Asserts that it contains everything acknowledged before it
 * began, that its digests match the manifest and a replay, and that a service starts on it.
 */
export async function verifyBackup(
  service: ServiceProcess,
  load: Load,
  gridId: string,
  apiKey: string,
): Promise<VerifiedBackup> {
  const restored = await ServiceProcess.prepare();
  const folder = `${restored.dataDir}-backup`;
  try {
    const before = { traces: load.acknowledged('traces'), logs: load.acknowledged('logs') };
    const watch = new WalWatch(join(service.dataDir, 'events.db-wal'));
    const began = performance.now();
    const made = await runCli(service.dataDir, 'backup', folder, '--json');
    const backupMs = performance.now() - began;
    const walBytes = await watch.end();
    assert.equal(made.code, 0, made.stderr);
    const manifest = JSON.parse(made.stdout) as BackupManifest;
    assert.deepEqual((await readdir(folder)).sort(), ['events.db', 'manifest.json', 'read-models.db']);
    const resumed = performance.now();
    const put = await runCli(restored.dataDir, 'restore', folder, '--json');
    const restoreMs = performance.now() - resumed;
    assert.equal(put.code, 0, put.stderr);
    assert.deepEqual((JSON.parse(put.stdout) as RestoreResult).proven, manifest.readModels);
    await restored.start();
    const api = new ApiClient(restored.apiUrl, { 'api-key': apiKey });
    const total = async (signal: string): Promise<number> =>
      (await api.post<{ totalCount: number }>(`/apm/${signal}/${gridId}`, RANGE)).body.totalCount;
    await waitUntil(
      async () => (await total('traces')) >= before.traces && (await total('logs')) >= before.logs,
      'all that was acknowledged before the backup began is there',
    );
    const verified = JSON.parse((await runCli(restored.dataDir, 'verify', '--json')).stdout) as VerificationOutcome[];
    assert.ok(
      verified.every(({ equal }) => equal),
      JSON.stringify(verified),
    );
    return { manifest, walBytes, backupMs, restoreMs };
  } finally {
    await restored.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

class WalWatch {
  private largest = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly file: string) {
    this.timer = setInterval(() => void this.look(), 20);
  }

  async end(): Promise<number> {
    clearInterval(this.timer);
    await this.look();
    return this.largest;
  }

  private async look(): Promise<void> {
    const { size } = await stat(this.file).catch(() => ({ size: 0 }));
    this.largest = Math.max(this.largest, size);
  }
}

/** A service with some telemetry that is already projected. */
export async function startFilledService(): Promise<{ service: ServiceProcess; gridId: string; apiKey: string }> {
  const service = await ServiceProcess.start();
  const { gridId, apiKey } = await service.bootstrap();
  await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, rootSpans(500));
  await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, logRecords(500));
  const api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
  await waitUntil(
    async () => (await api.post<{ totalCount: number }>(`/apm/logs/${gridId}`, RANGE)).body.totalCount === 500,
    'all is found',
  );
  return { service, gridId, apiKey };
}
