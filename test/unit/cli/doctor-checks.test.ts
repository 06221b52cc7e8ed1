import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  runChecks,
  checkNodeVersion,
  formatFindings,
  type Finding,
  type CheckSources,
} from '../../../src/cli/doctor-checks.js';
import { readSettings } from '../../../src/config/settings.js';

const EMPTY: CheckSources = { stores: () => Promise.resolve(undefined) };

describe('doctor', () => {
  let folder: string;
  const settings = (more: Record<string, string> = {}) =>
    readSettings({ DATA_DIR: folder, HTTP_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0', ...more });
  const faults = (findings: readonly Finding[]) => findings.filter(({ ok }) => !ok).map(({ check }) => check);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-doctor-'));
    chmodSync(folder, 0o700);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('finds nothing on a fresh folder, and creates none', async () => {
    assert.deepEqual(faults(await runChecks(settings(), EMPTY)), []);
    rmSync(folder, { recursive: true });
    assert.deepEqual(faults(await runChecks(settings(), EMPTY)), []);
    assert.ok(!existsSync(folder));
  });

  it('tells of a folder that others may read, with the command that mends it', async () => {
    chmodSync(folder, 0o755);
    const findings = await runChecks(settings(), EMPTY);
    assert.deepEqual(faults(findings), ['data folder']);
    assert.ok(formatFindings(findings).includes(`→ chmod 700 ${folder}`));
  });

  it('tells of a port that is taken, and of none while the service itself has them', async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const taken = settings({ OTLP_HTTP_PORT: String((server.address() as AddressInfo).port) });
    assert.deepEqual(faults(await runChecks(taken, EMPTY)), ['OTLP_HTTP_PORT']);
    assert.deepEqual(
      faults(await runChecks(taken, { ...EMPTY, readiness: () => Promise.resolve({ log: { ok: true } }) })),
      [],
    );
    server.close();
  });

  it('tells how a running service is, and that one does not answer', async () => {
    const ill = await runChecks(settings(), {
      ...EMPTY,
      readiness: () => Promise.resolve({ log: { ok: false, reason: 'no room' }, ingestion: { ok: true } }),
    });
    assert.deepEqual(faults(ill), ['service, log']);
    assert.match(formatFindings(ill), /FAULT service, log: no room/);
    assert.deepEqual(
      faults(await runChecks(settings(), { ...EMPTY, readiness: () => Promise.reject(new Error('timed out')) })),
      ['service'],
    );
  });

  it('tells what is damaged at rest, and what the next start has to catch up with', async () => {
    const findings = await runChecks(settings(), {
      stores: () => Promise.resolve({ behind: 7, damage: ['page 3 is never used'] }),
    });
    assert.deepEqual(faults(findings), ['log']);
    assert.match(formatFindings(findings), /lack 7 records/);
    assert.deepEqual(
      faults(await runChecks(settings(), { stores: () => Promise.reject(new Error('not a database')) })),
      ['stores'],
    );
  });

  it('tells of engines elsewhere before the service, and of an embedded log whose read models are there', async () => {
    const elsewhere = () => Promise.resolve([{ check: 'MongoDB', ok: false, detail: 'away', remedy: 'bring it back' }]);
    const running = await runChecks(settings(), { elsewhere, readiness: () => Promise.resolve({ log: { ok: true } }) });
    assert.deepEqual(
      running.slice(-2).map(({ check }) => check),
      ['MongoDB', 'service, log'],
    );
    const resting = await runChecks(settings(), {
      elsewhere,
      stores: () => Promise.resolve({ damage: ['page 3 is never used'] }),
    });
    assert.deepEqual(faults(resting), ['MongoDB', 'log']);
    assert.match(formatFindings(resting), /ok {4}stores: the log can be read/);
  });

  it('asks for the ports of its roles alone', async () => {
    const api = settings({ ROLES: 'api', EVENT_STORE_URL: 'esdb://localhost', READ_STORE_URL: 'mongodb://localhost' });
    const names = (await runChecks(api, {})).map(({ check }) => check);
    assert.ok(names.includes('HTTP_PORT') && !names.includes('OTLP_HTTP_PORT') && !names.includes('OTLP_GRPC_PORT'));
  });

  it('tells of what works and needs a look all the same', async () => {
    const degraded = '2 events could not be projected: see `hindsight parked`';
    const running = await runChecks(settings(), {
      ...EMPTY,
      readiness: () => Promise.resolve({ log: { ok: true }, projections: { ok: true, degraded } }),
    });
    assert.deepEqual(faults(running), ['service, projections']);
    assert.ok(formatFindings(running).includes(`FAULT service, projections: ${degraded}`));
    const resting = await runChecks(settings(), {
      stores: () => Promise.resolve({ behind: 0, damage: [], parked: 2 }),
    });
    assert.deepEqual(faults(resting), ['projections']);
  });

  it('knows which versions of Node the service runs on', () => {
    assert.ok(checkNodeVersion('20.12.0').ok && checkNodeVersion('24.1.0').ok);
    assert.ok(!checkNodeVersion('20.11.1').ok && !checkNodeVersion('18.20.0').ok);
  });
});
