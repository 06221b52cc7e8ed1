import { type Command, Option } from 'commander';
import type { Settings } from '../../config/settings.js';
import type { OfflineExportResult } from '../../runtime/offline/offline-incident-export.js';
import { SECRET_ATTRIBUTES } from '../../operations/incident-files/secret-attributes.js';
import { parseIsoTime, parseWholeNumber, withExamples } from '../command-definition.js';
import { readLocalSettings, runToExitStatus } from '../exit-status.js';
import { escapeTerminalControls, printResult, withProgressBar } from '../terminal-output.js';
import { readPackageVersion } from '../../config/package-version.js';
import { resolve } from 'node:path';
import { localOperatorId } from '../../operations/administration/local-administration.js';
import type { ImportedGrid } from '../../operations/operations-port.js';
import { withOperations } from '../local-operations.js';

interface ExportCommandOptions {
  readonly grid: string;
  readonly from: number;
  readonly to: number;
  readonly out?: string;
  readonly baseline: number;
  readonly late: number;
  readonly stripAttributes: readonly string[];
  readonly json?: boolean;
}

const MINUTE_MS = 60_000;
/** A diagnosis compares 15 minutes with the 60 before. */
const BASELINE_MINUTES = 75;
const LATE_MINUTES = 60;

export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description(
      'export a time range of a Grid into an incident file, without API keys, members, actors and secret attributes; the service may run',
    )
    .requiredOption('--grid <id|name>', 'which Grid')
    .requiredOption('--from <time>', 'start, ISO time', parseIsoTime)
    .requiredOption('--to <time>', 'end, ISO time', parseIsoTime)
    .option('--out <file>', 'new file; default: a name made of Grid and time')
    .option(
      '--baseline <minutes>',
      'minutes of telemetry before --from to include, as baseline for diagnoses',
      parseWholeNumber,
      BASELINE_MINUTES,
    )
    .option(
      '--late <minutes>',
      'minutes after --to in which late telemetry of the time range is included',
      parseWholeNumber,
      LATE_MINUTES,
    )
    .addOption(
      new Option('--strip-attributes <keys>', 'further attributes whose values are removed, separated by commas')
        .argParser(parseKeyList)
        .default([], 'none'),
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `\nAlways removed, by the last part of the key: ${SECRET_ATTRIBUTES.join(', ')}. Log texts and span names are not searched for secrets.`,
    )
    .action((options: ExportCommandOptions) => runToExitStatus(() => runExport(readLocalSettings(), options)));
  withExamples(
    command,
    'hindsight export --grid shop --from 2026-11-20T12:00:00Z --to 2026-11-20T12:30:00Z --out incident.slice.ndjson.gz',
  );
}

async function runExport(
  settings: Settings,
  { grid, from, to, out, baseline, late, stripAttributes, json = false }: ExportCommandOptions,
): Promise<boolean> {
  const { exportFromEventLog } = await import('../../runtime/offline/offline-incident-export.js');
  const options = {
    fromMs: from,
    toMs: to,
    baselineMs: baseline * MINUTE_MS,
    lateMs: late * MINUTE_MS,
    strip: [...SECRET_ATTRIBUTES, ...stripAttributes],
    now: Date.now(),
    hindsight: readPackageVersion(),
  };
  const file = out ?? defaultFileName(grid, from);
  const exported = await withProgressBar('export  ', 'seconds of telemetry', json, (onProgress) =>
    exportFromEventLog(settings, grid, file, { ...options, onProgress }),
  );
  printResult(json, exported, formatExport(exported));
  return exported.damaged.length === 0;
}

const MAX_LISTED_POSITIONS = 10;

function formatExport({ file, gridName, events, records, damaged }: OfflineExportResult): string {
  const lines = [
    `${file}: ${events} events with ${records} spans, log records and data points of ${escapeTerminalControls(gridName)}`,
    ...(damaged.length === 0
      ? []
      : [
          `        DAMAGED: ${damaged.length} events of the log were skipped, at ${damaged.slice(0, MAX_LISTED_POSITIONS).join(', ')}${damaged.length > MAX_LISTED_POSITIONS ? ' …' : ''}`,
        ]),
    `        → hindsight import ${file}`,
  ];
  return lines.join('\n');
}

/** Such as `demo-20260102T0304Z.slice.ndjson.gz`. */
function defaultFileName(grid: string, from: number): string {
  const at = new Date(from)
    .toISOString()
    .replaceAll(/[-:]|:\d\d\.\d+/g, '')
    .slice(0, 13);
  return `${grid.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${at}Z.slice.ndjson.gz`;
}

function parseKeyList(text: string): string[] {
  return text
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

interface ImportCommandOptions {
  readonly name?: string;
  readonly owner?: string;
  readonly key?: boolean;
  readonly json?: boolean;
}

export function addImport(program: Command): void {
  const command = program
    .command('import')
    .description(
      'create a new Grid with unlimited retention from an incident file of `hindsight export`; verifies the file first',
    )
    .argument('<file>', 'incident file')
    .option('--name <name>', 'name of the new Grid; default: that of the exported Grid')
    .option('--owner <userId>', 'user who becomes Owner; default: BOOTSTRAP_OWNER')
    .option('--key', 'issue an API key, so that the Grid accepts further telemetry')
    .option('--json', 'print one JSON object')
    .action((file: string, options: ImportCommandOptions) =>
      runToExitStatus(() => runImport(readLocalSettings(), file, options)),
    );
  withExamples(command, 'hindsight import incident.slice.ndjson.gz --name incident --owner alice');
}

function runImport(
  settings: Settings,
  file: string,
  { name, owner = settings.bootstrapOwner, key = false, json = false }: ImportCommandOptions,
): Promise<boolean> {
  const request = { owner, actor: localOperatorId(), withKey: key, ...(name === undefined ? {} : { name }) };
  return withOperations(settings, async (operations) => {
    const imported = await withProgressBar('import  ', 'bytes', json, (onProgress) =>
      operations.importSlice(resolve(file), request, onProgress),
    );
    printResult(json, imported, formatImport(imported, owner));
    return true;
  });
}

function formatImport(
  { gridId, name, events, records, slice: { from, to }, resumed, apiKey }: ImportedGrid,
  owner: string,
): string {
  const lines = [
    `Grid ${escapeTerminalControls(name)}: ${gridId}`,
    `${events} events with ${records} spans, log records and data points, ${from} to ${to}; its Owner is ${owner}`,
  ];
  if (resumed > 0) lines.push(`resumed an interrupted import: ${resumed} requests were already imported`);
  if (apiKey !== undefined) lines.push(`API key (shown only once): ${apiKey}`);
  return lines.join('\n');
}
