import type { Command } from 'commander';
import { EMBEDDED, type Settings } from '../../config.js';
import { connectControl, controlPath } from '../control-socket.js';
import { examine, report } from '../doctor.js';
import { enginesFindings } from '../engines-findings.js';
import { withExamples } from '../examples.js';
import { finish, localSettings } from '../finish.js';
import { print } from '../terminal/output.js';

export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description('look at settings, folder, disk, stores and service: what is wrong and what to do; exits 1 when something is')
    .option('--json', 'print one JSON array')
    .action((options: { json?: true }) => finish(() => diagnose(localSettings(), options.json === true)));
  withExamples(command, 'hindsight doctor', 'hindsight doctor --json');
}

/** Prints what was found; true when nothing is wrong. */
async function diagnose(settings: Settings, json: boolean): Promise<boolean> {
  const running = await connectControl(controlPath(settings.dataDir));
  const findings = await examine(settings, {
    readiness: running && (() => running.readiness()),
    ...([settings.eventStoreUrl, settings.readStoreUrl].includes(EMBEDDED) && { stores: async () => (await import('../../offline.js')).lookAtStores(settings) }),
    elsewhere: () => enginesFindings(settings),
  });
  print(json, findings, report(findings));
  return findings.every(({ ok }) => ok);
}
