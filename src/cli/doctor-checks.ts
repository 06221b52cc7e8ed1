import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Health } from '../component.js';
import { findDevelopmentSignInFault, findProxiedSignInWarning } from '../config/network-exposure.js';
import { SETTINGS, type Settings, SettingsError } from '../config/settings.js';
import type { Finding } from './finding.js';
import { assertFolderVersion } from '../runtime/engines/data-folder-version.js';
import type { RecordReport } from '../operations/operations-port.js';
import { checkRecords, toRecordFindings } from './record-findings.js';
import type { StoreDiagnostics } from '../runtime/offline/store-diagnostics.js';

/** What `doctor` checks in addition to the file system. */
export interface CheckSources {
  /** Health of the service that runs on the data folder; absent when none runs. */
  readonly readiness?: () => Promise<Readonly<Record<string, Health>>>;
  /**
   * State of the stores in the data folder while no service runs; resolves to undefined when it is empty. Absent when
   * both stores are elsewhere.
   */
  readonly stores?: () => Promise<(Pick<StoreDiagnostics, 'damage'> & Partial<StoreDiagnostics>) | undefined>;
  /** Outcomes of the records, according to the running service; absent when none runs on embedded read models. */
  readonly records?: () => Promise<RecordReport>;
  /** Checks external engines, whether or not a service runs here. */
  readonly engines?: () => Promise<readonly Finding[]>;
}

const GIB = 1024 ** 3;
const MIN_FREE_BYTES = GIB;

/**
 * Checks everything that can keep a service from working, in the order in which to fix it. Changes nothing permanently.
 */
export async function runChecks(
  settings: Settings,
  { readiness, records, stores, engines }: CheckSources,
): Promise<readonly Finding[]> {
  const here = [
    checkNodeVersion(process.versions.node),
    await checkDataFolder(settings.dataDir),
    await checkFreeSpace(settings.dataDir),
    checkIdentityProvider(settings),
  ];
  const findings = [...here, ...((await engines?.()) ?? [])];
  if (readiness !== undefined)
    return [...findings, ...(await checkRunningService(readiness)), ...(records ? await checkRecords(records) : [])];
  if (findings.some(({ check, ok }) => check === 'data folder' && !ok)) return findings;
  return [...findings, ...(await checkPorts(settings)), ...(stores === undefined ? [] : await checkStores(stores))];
}

export function checkNodeVersion(version: string): Finding {
  const [major, minor] = version.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 12);
  return { check: 'Node.js', ok, detail: version, ...(ok ? {} : { remedy: 'install Node.js 20.12 or newer' }) };
}

async function checkDataFolder(dataDir: string): Promise<Finding> {
  const check = 'data folder';
  if (!existsSync(dataDir))
    return { check, ok: true, detail: `${dataDir} does not exist yet; the first start creates it` };
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const mode = (await stat(dataDir)).mode & 0o777;
    if ((mode & 0o077) === 0) return checkFolderVersion(dataDir);
    return {
      check,
      ok: false,
      detail: `${dataDir} is accessible to other users (mode ${mode.toString(8)})`,
      remedy: `chmod 700 ${dataDir}`,
    };
  } catch (error) {
    return {
      check,
      ok: false,
      detail: (error as Error).message,
      remedy: 'set DATA_DIR to a folder that this user can write to',
    };
  }
}

function checkFolderVersion(dataDir: string): Finding {
  const check = 'data folder';
  try {
    assertFolderVersion(dataDir);
    return { check, ok: true, detail: dataDir };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { check, ok: false, detail: error.message, remedy: 'see docs/upgrading.md, Going back' };
  }
}

async function checkFreeSpace(dataDir: string): Promise<Finding> {
  const check = 'disk';
  try {
    const { bavail, bsize } = await statfs(existsSync(dataDir) ? dataDir : dirname(dataDir));
    const free = bavail * bsize;
    const detail = `${(free / GIB).toFixed(1)} GiB free`;
    if (free >= MIN_FREE_BYTES) return { check, ok: true, detail };
    return {
      check,
      ok: false,
      detail,
      remedy:
        'free space or lower RETENTION_DAYS; ingestion answers 503 while the disk is full and resumes automatically',
    };
  } catch (error) {
    return { check, ok: false, detail: (error as Error).message, remedy: 'check that the disk of DATA_DIR is mounted' };
  }
}

function checkIdentityProvider(settings: Settings): Finding {
  const check = 'identity';
  if (settings.authUrl !== undefined)
    return { check, ok: true, detail: `${settings.authUrl}/${settings.authTenantId}/v2.0` };
  if (settings.oidcIssuer !== undefined) return { check, ok: true, detail: settings.oidcIssuer };
  if (settings.production)
    return { check, ok: true, detail: 'none: in production without OIDC_ISSUER, only API keys are accepted' };
  const fault = findDevelopmentSignInFault(settings);
  if (fault !== undefined)
    return {
      check,
      ok: false,
      detail: `${SETTINGS.bindAddress.name} ${fault}`,
      remedy: 'set OIDC_ISSUER, or BIND_ADDRESS=127.0.0.1',
    };
  const warning = findProxiedSignInWarning(settings);
  if (warning !== undefined)
    return { check, ok: false, detail: warning, remedy: 'set OIDC_ISSUER, AUTH_URL or NODE_ENV=production' };
  return { check, ok: true, detail: 'embedded development identity provider, not for production' };
}

/** One finding per component. */
async function checkRunningService(
  readiness: () => Promise<Readonly<Record<string, Health>>>,
): Promise<readonly Finding[]> {
  const remedy = 'read its log; if it does not recover, stop it with SIGTERM and restart it';
  try {
    return Object.entries(await readiness()).map(([name, health]) =>
      toComponentFinding(`service, ${name}`, health, remedy),
    );
  } catch (error) {
    return [
      {
        check: 'service',
        ok: false,
        detail: `holds the data folder but does not respond: ${(error as Error).message}`,
        remedy,
      },
    ];
  }
}

/** Reports a degraded component as a fault: nothing else would make the operator aware of it. */
function toComponentFinding(check: string, health: Health, remedy: string): Finding {
  if (!health.ok) return { check, ok: false, detail: health.reason, remedy };
  return { check, ok: health.degraded === undefined, detail: health.degraded ?? 'ok' };
}

async function checkPorts({
  roles,
  bindAddress,
  httpPort,
  otlpHttpPort,
  otlpGrpcPort,
}: Settings): Promise<readonly Finding[]> {
  const named = {
    HTTP_PORT: httpPort,
    ...(roles.has('ingest') && { OTLP_HTTP_PORT: otlpHttpPort, OTLP_GRPC_PORT: otlpGrpcPort }),
  };
  return Promise.all(Object.entries(named).map(([name, port]) => checkPort(name, port, bindAddress)));
}

function checkPort(name: string, port: number, address: string): Promise<Finding> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) =>
      resolve({
        check: name,
        ok: false,
        detail: error.message,
        remedy: `stop the process that uses this port, or set ${name} to another port`,
      }),
    );
    probe.listen(port, address, () =>
      probe.close(() => resolve({ check: name, ok: true, detail: port === 0 ? 'any free port' : `${port} is free` })),
    );
  });
}

async function checkStores(readStores: NonNullable<CheckSources['stores']>): Promise<readonly Finding[]> {
  try {
    const diagnostics = await readStores();
    if (diagnostics === undefined) return [{ check: 'stores', ok: true, detail: 'empty' }];
    return [
      { check: 'stores', ok: true, detail: describeBacklog(diagnostics.unprojectedRecords) },
      ...diagnostics.damage.map(toLogDamageFinding),
      ...(diagnostics.indexDamage === undefined ? [] : [toIndexDamageFinding(diagnostics.indexDamage)]),
      ...(diagnostics.damagedReadModels ?? []).map(toReadModelDamageFinding),
      ...toDeadLetterFindings(diagnostics.deadLetters ?? 0),
      ...(diagnostics.records === undefined ? [] : toRecordFindings(diagnostics.records)),
    ];
  } catch (error) {
    return [
      {
        check: 'stores',
        ok: false,
        detail: (error as Error).message,
        remedy:
          'if the event log is unreadable, restore the folder from a backup, or save what can be read with `hindsight salvage`',
      },
    ];
  }
}

function describeBacklog(unprojectedRecords: number | undefined): string {
  if (unprojectedRecords === undefined) return 'the event log is readable';
  return unprojectedRecords === 0
    ? 'the read models are up to date with the event log'
    : `the read models lack ${unprojectedRecords} records of the event log; the next start projects them`;
}

function toLogDamageFinding(detail: string): Finding {
  return {
    check: 'log',
    ok: false,
    detail,
    remedy:
      'restore a backup made before the damage; until then, results omit what is damaged. Do not replay (docs/operating.md, Damaged events)',
  };
}

function toIndexDamageFinding(detail: string): Finding {
  return {
    check: 'log',
    ok: false,
    detail,
    remedy:
      'nothing is lost: `hindsight backup` reads without the index, and `hindsight restore` rebuilds it (docs/operating.md, Damaged index); check the disk',
  };
}

function toReadModelDamageFinding(detail: string): Finding {
  return {
    check: 'read models',
    ok: false,
    detail,
    remedy:
      'no data is lost: delete read-models.db and the files whose names begin with it; the next start rebuilds them from the event log',
  };
}

export function toDeadLetterFindings(count: number): Finding[] {
  const remedy = 'list them with `hindsight dead-letters`; after a fix, run `hindsight dead-letters retry`';
  return count === 0
    ? []
    : [
        {
          check: 'projections',
          ok: false,
          detail: `${count} ${count === 1 ? 'event' : 'events'} could not be projected`,
          remedy,
        },
      ];
}

/** One line per finding; faults are followed by their remedy. */
export function formatFindings(findings: readonly Finding[]): string {
  return findings
    .map(
      ({ check, ok, detail, remedy }) =>
        `${ok ? 'ok   ' : 'FAULT'} ${check}: ${detail}${remedy === undefined ? '' : `\n      → ${remedy}`}`,
    )
    .join('\n');
}
