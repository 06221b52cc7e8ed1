import type { Settings } from '../config.js';
import { openStores } from '../threads/offline.js';
import { connectControl, controlPath } from './control-socket.js';
import { examine, report, type Finding, type Patient } from './doctor.js';

/** Prints what was found; true when nothing is wrong. */
export async function diagnose(settings: Settings, json: boolean): Promise<boolean> {
  const running = (await connectControl(controlPath(settings.dataDir))) !== undefined;
  const patient: Patient = { running, ready: () => ready(settings), inspectStores: () => inspectStores(settings.dataDir) };
  const findings = await examine(settings, patient);
  process.stdout.write(`${json ? JSON.stringify(findings) : report(findings)}\n`);
  return findings.every(({ ok }) => ok);
}

async function ready(settings: Settings): Promise<{ status: number; body: string } | undefined> {
  try {
    const response = await fetch(`${settings.publicUrl}/ready`, { signal: AbortSignal.timeout(5000) });
    return { status: response.status, body: await response.text() };
  } catch {
    return undefined;
  }
}

async function inspectStores(dataDir: string): Promise<readonly Finding[]> {
  const stores = await openStores(dataDir);
  try {
    const { log, ...projections } = await stores.positions();
    const behind = Object.entries(projections).map(([name, position]) => `${name} at ${position === '' ? 'the start' : position}`);
    return [{ check: 'stores', ok: true, detail: `log at ${log === '' ? 'the start' : log}, ${behind.join(', ')}` }, ...stores.damage().map(damaged)];
  } finally {
    await stores.close();
  }
}

function damaged(detail: string): Finding {
  return { check: 'log', ok: false, detail, remedy: 'restore the folder from a backup; what is damaged is left out of answers, everything else is served' };
}
