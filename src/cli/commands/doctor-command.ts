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
      'check settings, data folder, disk, stores and service, and say how to fix problems; exits 1 if there are any',
    )
    .option('--json', 'print one JSON array')
    .action((options: { json?: true }) => runToExitStatus(() => runDoctor(readLocalSettings(), options.json === true)));
  withExamples(command, 'hindsight doctor', 'hindsight doctor --json');
}

/** Prints the findings; resolves to true when all checks pass. */
async function runDoctor(settings: Settings, json: boolean): Promise<boolean> {
  const running = await connectControlSocket(controlSocketPath(settings.dataDir));
  const findings = await runChecks(settings, {
    readiness: running && (() => running.readiness()),
    ...(running && settings.readStoreUrl === EMBEDDED && { records: () => running.records() }),
    ...([settings.eventStoreUrl, settings.readStoreUrl].includes(EMBEDDED) && {
      stores: async () => (await import('../../runtime/offline/store-diagnostics.js')).diagnoseStores(settings),
    }),
    engines: () => checkEngines(settings),
  });
  printResult(json, findings, formatFindings(findings));
  return findings.every(({ ok }) => ok);
}
