import { Option, type Command } from 'commander';
import type { Settings } from '../../config.js';
import type { Exported } from '../../slices/export-slice.js';
import { SECRET_ATTRIBUTES } from '../../slices/secret-attributes.js';
import { withExamples } from '../examples.js';
import { finish, localSettings } from '../finish.js';
import { isoTime, wholeNumber } from '../option-values.js';
import { withProgress } from '../progress.js';
import { print } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';
import { version } from '../version.js';

interface Options {
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
    .description('write a time slice of a Grid into one file, without keys, members, actors and secrets in attributes; the service may go on')
    .requiredOption('--grid <id|name>', 'which one')
    .requiredOption('--from <time>', 'ISO time', isoTime)
    .requiredOption('--to <time>', 'ISO time', isoTime)
    .option('--out <file>', 'that is not there yet; named after Grid and time when left out')
    .option('--baseline <minutes>', 'how much telemetry before --from is taken as well: what a diagnosis compares with', wholeNumber, BASELINE_MINUTES)
    .option('--late <minutes>', 'how late after --to telemetry of the slice may have arrived', wholeNumber, LATE_MINUTES)
    .addOption(new Option('--strip-attributes <keys>', 'further attributes whose values are taken out, separated by commas').argParser(list).default([], 'none'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', `\nTaken out in any case, by the last part of the key: ${SECRET_ATTRIBUTES.join(', ')}. Texts of logs and names of spans are not searched.`)
    .action((options: Options) => finish(() => exportSlice(localSettings(), options)));
  withExamples(command, 'hindsight export --grid shop --from 2026-11-20T12:00:00Z --to 2026-11-20T12:30:00Z --out incident.slice.ndjson.gz');
}

async function exportSlice(settings: Settings, { grid, from, to, out, baseline, late, stripAttributes, json = false }: Options): Promise<boolean> {
  const { exportFromStores } = await import('../../offline/export.js');
  const options = { fromMs: from, toMs: to, baselineMs: baseline * MINUTE_MS, lateMs: late * MINUTE_MS, strip: [...SECRET_ATTRIBUTES, ...stripAttributes], now: Date.now(), hindsight: version() };
  const file = out ?? fileName(grid, from);
  const exported = await withProgress('export  ', 'seconds of telemetry', json, (onProgress) => exportFromStores(settings, grid, file, { ...options, onProgress }));
  print(json, exported, told(exported));
  return true;
}

function told({ file, gridName, events, records }: Exported): string {
  return `${file}: ${events} events with ${records} spans, log records and data points of ${shownText(gridName)}\n        → hindsight import ${file}`;
}

/** Such as `demo-20260102T0304Z.slice.ndjson.gz`. */
function fileName(grid: string, from: number): string {
  const at = new Date(from).toISOString().replaceAll(/[-:]|:\d\d\.\d+/g, '').slice(0, 13);
  return `${grid.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${at}Z.slice.ndjson.gz`;
}

function list(text: string): string[] {
  return text.split(',').map((key) => key.trim()).filter((key) => key !== '');
}
