import type { Settings } from '../config.js';
import { lookAtStores } from '../offline.js';
import { connectControl, controlPath } from './control-socket.js';
import { examine, report } from './doctor.js';

/** Prints what was found; true when nothing is wrong. */
export async function diagnose(settings: Settings, json: boolean): Promise<boolean> {
  const running = await connectControl(controlPath(settings.dataDir));
  const findings = await examine(settings, { readiness: running && (() => running.readiness()), stores: () => lookAtStores(settings.dataDir) });
  process.stdout.write(`${json ? JSON.stringify(findings) : report(findings)}\n`);
  return findings.every(({ ok }) => ok);
}
