import type { Command } from 'commander';
import { EMBEDDED, type Settings } from '../../config/settings.js';
import { connectControlSocket, controlSocketPath } from '../../operations/control-socket.js';
import { runChecks, formatFindings } from '../doctor-checks.js';
import { checkEngines } from '../engine-findings.js';
import { withExamples } from '../command-definition.js';
import { runToExitStatus, readLocalSettings } from '../exit-status.js';
import { printResult } from '../terminal-output.js';

export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'look at settings, folder, disk, stores and service: what is wrong and what to do; exits 1 when something is',
    )
    .option('--json', 'print one JSON array')
    .action((options: { json?: true }) => runToExitStatus(() => runDoctor(readLocalSettings(), options.json === true)));
  withExamples(command, 'hindsight doctor', 'hindsight doctor --json');
}

/** Prints what was found; true when nothing is wrong. */
async function runDoctor(settings: Settings, json: boolean): Promise<boolean> {
  const running = await connectControlSocket(controlSocketPath(settings.dataDir));
  const findings = await runChecks(settings, {
    readiness: running && (() => running.readiness()),
    ...([settings.eventStoreUrl, settings.readStoreUrl].includes(EMBEDDED) && {
      stores: async () => (await import('../../runtime/offline/offline-operations.js')).lookAtStores(settings),
    }),
    elsewhere: () => checkEngines(settings),
  });
  printResult(json, findings, formatFindings(findings));
  return findings.every(({ ok }) => ok);
}
