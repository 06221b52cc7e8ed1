import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks, checkNodeVersion, formatFindings, type CheckSources } from '../../../src/cli/doctor-checks.js';
import type { Finding } from '../../../src/cli/finding.js';
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

  it('finds no fault in a new folder, and creates none', async () => {
    assert.deepEqual(faults(await runChecks(settings(), EMPTY)), []);
    rmSync(folder, { recursive: true });
    assert.deepEqual(faults(await runChecks(settings(), EMPTY)), []);
    assert.ok(!existsSync(folder));
  });

  it('reports a folder that others can read, with the command that fixes it', async () => {
    chmodSync(folder, 0o755);
    const findings = await runChecks(settings(), EMPTY);
    assert.deepEqual(faults(findings), ['data folder']);
    assert.ok(formatFindings(findings).includes(`→ chmod 700 ${folder}`));
  });

  it('reports a taken port, but not while the service itself uses it', async () => {
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

  it('reports the health of a running service, and that it does not respond', async () => {
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

  it('reports damage in the stores, and unprojected records', async () => {
    const findings = await runChecks(settings(), {
      stores: () => Promise.resolve({ unprojectedRecords: 7, damage: ['page 3 is never used'] }),
    });
    assert.deepEqual(faults(findings), ['log']);
    assert.match(formatFindings(findings), /lack 7 records/);
    assert.deepEqual(
      faults(await runChecks(settings(), { stores: () => Promise.reject(new Error('not a database')) })),
      ['stores'],
    );
  });

  it('reports external engines before the service, and an embedded log with external read models', async () => {
    const elsewhere = () => Promise.resolve([{ check: 'MongoDB', ok: false, detail: 'away', remedy: 'bring it back' }]);
    const running = await runChecks(settings(), {
      engines: elsewhere,
      readiness: () => Promise.resolve({ log: { ok: true } }),
    });
    assert.deepEqual(
      running.slice(-2).map(({ check }) => check),
      ['MongoDB', 'service, log'],
    );
    const resting = await runChecks(settings(), {
      engines: elsewhere,
      stores: () => Promise.resolve({ damage: ['page 3 is never used'] }),
    });
    assert.deepEqual(faults(resting), ['MongoDB', 'log']);
    assert.match(formatFindings(resting), /ok {4}stores: the event log is readable/);
  });

  it('checks only the ports of the roles', async () => {
    const api = settings({ ROLES: 'api', EVENT_STORE_URL: 'esdb://localhost', READ_STORE_URL: 'mongodb://localhost' });
    const names = (await runChecks(api, {})).map(({ check }) => check);
    assert.ok(names.includes('HTTP_PORT') && !names.includes('OTLP_HTTP_PORT') && !names.includes('OTLP_GRPC_PORT'));
  });

  it('reports degraded components', async () => {
    const degraded = '2 events could not be projected: see `hindsight dead-letters`';
    const running = await runChecks(settings(), {
      ...EMPTY,
      readiness: () => Promise.resolve({ log: { ok: true }, projections: { ok: true, degraded } }),
    });
    assert.deepEqual(faults(running), ['service, projections']);
    assert.ok(formatFindings(running).includes(`FAULT service, projections: ${degraded}`));
    const resting = await runChecks(settings(), {
      stores: () => Promise.resolve({ unprojectedRecords: 0, damage: [], deadLetters: 2 }),
    });
    assert.deepEqual(faults(resting), ['projections']);
  });

  it('checks the Node.js version', () => {
    assert.ok(checkNodeVersion('20.12.0').ok && checkNodeVersion('24.1.0').ok);
    assert.ok(!checkNodeVersion('20.11.1').ok && !checkNodeVersion('18.20.0').ok);
  });
});
