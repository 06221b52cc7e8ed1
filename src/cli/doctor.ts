import { access, constants, mkdir, stat, statfs } from 'node:fs/promises';
import type { Settings } from '../config.js';

/** What one check found; `remedy` says what to do about a fault. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

/** What `doctor` looks at beside the file system. */
export interface Patient {
  /** True while a service works on the data folder. */
  readonly running: boolean;
  /** Answer of the service's /ready, undefined where none runs. */
  ready(): Promise<{ readonly status: number; readonly body: string } | undefined>;
  /** Opens the stores for a look; only called while no service runs. Rejects with what is wrong. */
  inspectStores(): Promise<readonly Finding[]>;
}

const GIB = 1024 ** 3;
const LEAST_FREE_BYTES = GIB;

/** Looks at everything that keeps a service from working, in the order in which one would mend it. */
export async function examine(settings: Settings, patient: Patient): Promise<readonly Finding[]> {
  const findings = [nodeVersion(process.versions.node), await folder(settings.dataDir), await freeSpace(settings.dataDir), identity(settings)];
  if (patient.running) return [...findings, await readiness(patient)];
  if (findings.some(({ check, ok }) => check === 'data folder' && !ok)) return findings;
  return [...findings, ...(await stores(patient))];
}

export function nodeVersion(version: string): Finding {
  const [major, minor] = version.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 12);
  return { check: 'Node.js', ok, detail: version, ...(ok ? {} : { remedy: 'install Node.js 20.12 or newer' }) };
}

async function folder(dataDir: string): Promise<Finding> {
  const check = 'data folder';
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const mode = (await stat(dataDir)).mode & 0o777;
    if ((mode & 0o077) === 0) return { check, ok: true, detail: dataDir };
    return { check, ok: false, detail: `${dataDir} is open to others (mode ${mode.toString(8)})`, remedy: `chmod 700 ${dataDir}` };
  } catch (error) {
    return { check, ok: false, detail: (error as Error).message, remedy: 'set DATA_DIR to a folder that this user may write' };
  }
}

async function freeSpace(dataDir: string): Promise<Finding> {
  const check = 'disk';
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const detail = `${(free / GIB).toFixed(1)} GiB free`;
    if (free >= LEAST_FREE_BYTES) return { check, ok: true, detail };
    return { check, ok: false, detail, remedy: 'free space or lower RETENTION_DAYS; ingestion answers 503 while the disk is full and goes on by itself afterwards' };
  } catch (error) {
    return { check, ok: false, detail: (error as Error).message, remedy: 'check that the disk of DATA_DIR is mounted' };
  }
}

function identity(settings: Settings): Finding {
  const check = 'identity';
  if (settings.authUrl !== undefined) return { check, ok: true, detail: `${settings.authUrl}/${settings.authTenantId}/v2.0` };
  if (settings.production) return { check, ok: true, detail: 'none: in production without AUTH_URL only API keys are accepted' };
  return { check, ok: true, detail: 'the embedded development identity provider: not for production' };
}

async function readiness(patient: Patient): Promise<Finding> {
  const answer = await patient.ready();
  if (answer?.status === 200) return { check: 'service', ok: true, detail: 'running and ready' };
  const detail = answer === undefined ? 'holds the data folder, but its HTTP port does not answer' : `running, not ready: ${answer.body}`;
  return { check: 'service', ok: false, detail, remedy: 'read its log; when it does not recover, stop it with SIGTERM and start it again' };
}

async function stores(patient: Patient): Promise<readonly Finding[]> {
  try {
    return await patient.inspectStores();
  } catch (error) {
    return [{ check: 'stores', ok: false, detail: (error as Error).message, remedy: 'when another process holds the folder, stop it; a damaged read model is rebuilt by `hindsight replay`' }];
  }
}

/** One line a finding, faults with their remedy. */
export function report(findings: readonly Finding[]): string {
  return findings.map(({ check, ok, detail, remedy }) => `${ok ? 'ok   ' : 'FAULT'} ${check}: ${detail}${remedy === undefined ? '' : `\n      → ${remedy}`}`).join('\n');
}

