import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Health } from '../component.js';
import type { Settings } from '../config/settings.js';

/** What one check found; `remedy` says what to do about a fault. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

/** What `doctor` looks at beside the file system. */
export interface CheckSources {
  /** How the service is that works on the data folder; absent where none does. */
  readonly readiness?: () => Promise<Readonly<Record<string, Health>>>;
  /** A look at the stores of the data folder while no service runs: answers undefined where nothing was ever stored. Absent where both are elsewhere. */
  readonly stores?: () => Promise<
    | {
        readonly behind?: number;
        readonly damage: readonly string[];
        readonly damagedReadModels?: readonly string[];
        readonly parked?: number;
      }
    | undefined
  >;
  /** Looks at engines elsewhere, whether or not a service runs here. */
  readonly elsewhere?: () => Promise<readonly Finding[]>;
}

const GIB = 1024 ** 3;
const MIN_FREE_BYTES = GIB;

/** Looks at everything that keeps a service from working, in the order in which one would mend it. Changes nothing that stays. */
export async function runChecks(
  settings: Settings,
  { readiness, stores, elsewhere }: CheckSources,
): Promise<readonly Finding[]> {
  const here = [
    checkNodeVersion(process.versions.node),
    await checkDataFolder(settings.dataDir),
    await checkFreeSpace(settings.dataDir),
    checkIdentityProvider(settings),
  ];
  const findings = [...here, ...((await elsewhere?.()) ?? [])];
  if (readiness !== undefined) return [...findings, ...(await checkRunningService(readiness))];
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
    return { check, ok: true, detail: `${dataDir} is not there yet: the first start creates it` };
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const mode = (await stat(dataDir)).mode & 0o777;
    if ((mode & 0o077) === 0) return { check, ok: true, detail: dataDir };
    return {
      check,
      ok: false,
      detail: `${dataDir} is open to others (mode ${mode.toString(8)})`,
      remedy: `chmod 700 ${dataDir}`,
    };
  } catch (error) {
    return {
      check,
      ok: false,
      detail: (error as Error).message,
      remedy: 'set DATA_DIR to a folder that this user may write',
    };
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
        'free space or lower RETENTION_DAYS; ingestion answers 503 while the disk is full and goes on by itself afterwards',
    };
  } catch (error) {
    return { check, ok: false, detail: (error as Error).message, remedy: 'check that the disk of DATA_DIR is mounted' };
  }
}

function checkIdentityProvider(settings: Settings): Finding {
  const check = 'identity';
  if (settings.authUrl !== undefined)
    return { check, ok: true, detail: `${settings.authUrl}/${settings.authTenantId}/v2.0` };
  if (settings.production)
    return { check, ok: true, detail: 'none: in production without AUTH_URL only API keys are accepted' };
  return { check, ok: true, detail: 'the embedded development identity provider: not for production' };
}

/** One finding a component. */
async function checkRunningService(
  readiness: () => Promise<Readonly<Record<string, Health>>>,
): Promise<readonly Finding[]> {
  const remedy = 'read its log; when it does not recover, stop it with SIGTERM and start it again';
  try {
    return Object.entries(await readiness()).map(([name, health]) =>
      toComponentFinding(`service, ${name}`, health, remedy),
    );
  } catch (error) {
    return [
      {
        check: 'service',
        ok: false,
        detail: `holds the data folder and does not answer: ${(error as Error).message}`,
        remedy,
      },
    ];
  }
}

/** What works and an operator should look at all the same is a fault here: nobody else tells of it before answers lack something. */
function toComponentFinding(check: string, health: Health, remedy: string): Finding {
  if (!health.ok) return { check, ok: false, detail: health.reason, remedy };
  return { check, ok: health.degraded === undefined, detail: health.degraded ?? 'works' };
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
        remedy: `stop what listens there, or set ${name} to another port`,
      }),
    );
    probe.listen(port, address, () =>
      probe.close(() => resolve({ check: name, ok: true, detail: port === 0 ? 'any free port' : `${port} is free` })),
    );
  });
}

async function checkStores(look: NonNullable<CheckSources['stores']>): Promise<readonly Finding[]> {
  try {
    const found = await look();
    if (found === undefined) return [{ check: 'stores', ok: true, detail: 'empty: nothing has been stored yet' }];
    return [
      { check: 'stores', ok: true, detail: describeBacklog(found.behind) },
      ...found.damage.map(toLogDamageFinding),
      ...(found.damagedReadModels ?? []).map(toReadModelDamageFinding),
      ...toDeadLetterFindings(found.parked ?? 0),
    ];
  } catch (error) {
    return [
      {
        check: 'stores',
        ok: false,
        detail: (error as Error).message,
        remedy: 'when the log cannot be read, restore the folder from a backup',
      },
    ];
  }
}

function describeBacklog(behind: number | undefined): string {
  if (behind === undefined) return 'the log can be read';
  return behind === 0
    ? 'the read models have all that the log has'
    : `the read models lack ${behind} records of the log: the next start catches up`;
}

function toLogDamageFinding(detail: string): Finding {
  return {
    check: 'log',
    ok: false,
    detail,
    remedy: 'restore the folder from a backup; what is damaged is left out of answers, everything else is served',
  };
}

function toReadModelDamageFinding(detail: string): Finding {
  return {
    check: 'read models',
    ok: false,
    detail,
    remedy:
      'nothing is lost: remove read-models.db and the files beside it that begin so, the next start builds them from the log',
  };
}

export function toDeadLetterFindings(count: number): Finding[] {
  const remedy = '`hindsight parked` lists them; after a fix `hindsight parked retry` brings them back';
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

/** One line a finding, faults with their remedy. */
export function formatFindings(findings: readonly Finding[]): string {
  return findings
    .map(
      ({ check, ok, detail, remedy }) =>
        `${ok ? 'ok   ' : 'FAULT'} ${check}: ${detail}${remedy === undefined ? '' : `\n      → ${remedy}`}`,
    )
    .join('\n');
}
