import type { Command } from 'commander';
import { readPackageVersion } from '../../config/package-version.js';
import type { LogSalvage } from '../../runtime/offline/data-folder-salvage.js';
import { withExamples } from '../command-definition.js';
import { readLocalSettings, runToExitStatus } from '../exit-status.js';
import { requireEmbeddedDataDir } from '../local-operations.js';
import { printResult, withProgressBar } from '../terminal-output.js';

interface SalvageCommandOptions {
  readonly from?: string;
  readonly json?: boolean;
}

export function addSalvage(program: Command): void {
  const command = program
    .command('salvage')
    .description(
      'save what can be read of a damaged or truncated event log into a new folder, and list what is missing; exits 1 if anything is. The service must not be running; the damaged folder is not changed',
    )
    .argument('<folder>', 'new or empty folder; a service that starts on it rebuilds the read models')
    .option('--from <folder>', 'damaged data folder; default: DATA_DIR')
    .option('--json', 'print one JSON object')
    .action((folder: string, options: SalvageCommandOptions) => runToExitStatus(() => runSalvage(folder, options)));
  withExamples(command, 'hindsight salvage ./saved', 'hindsight salvage ./saved --from /var/lib/hindsight --json');
}

/** Resolves to true when nothing is missing. */
async function runSalvage(
  folder: string,
  { from = requireEmbeddedDataDir(readLocalSettings(), true), json = false }: SalvageCommandOptions,
): Promise<boolean> {
  const { salvageDataFolder } = await import('../../runtime/offline/data-folder-salvage.js');
  const salvage = await withProgressBar('log     ', 'pages', json, (onProgress) =>
    salvageDataFolder(from, folder, { hindsight: readPackageVersion(), now: Date.now(), onProgress }),
  );
  printResult(json, { ...salvage, folder }, formatSalvage(folder, salvage));
  return salvage.missing === 0 && salvage.truncatedPages === 0 && salvage.unreadablePages === 0;
}

const MAX_LISTED_RANGES = 20;

/** Formats what was saved, what is missing, and where. */
export function formatSalvage(folder: string, salvage: LogSalvage): string {
  const { events, position, missing, ranges, truncatedPages, unreadablePages } = salvage;
  const lines = [
    `${folder}: ${formatCount(events, 'event')} up to position ${position ?? 'none'} saved, ${missing === 0 ? 'none' : missing} missing`,
    ...ranges.slice(0, MAX_LISTED_RANGES).map(formatRange),
  ];
  if (ranges.length > MAX_LISTED_RANGES) lines.push(`  and more: see salvage.json in the folder`);
  if (truncatedPages > 0)
    lines.push(
      `  the file is truncated by ${formatCount(truncatedPages, 'page')}: events that were stored only there are not counted as missing`,
    );
  if (unreadablePages > 0)
    lines.push(
      `  ${formatCount(unreadablePages, 'page')} cannot be read from disk: events that were stored only there are not counted as missing`,
    );
  return lines.join('\n');
}

function formatRange(range: LogSalvage['ranges'][number]): string {
  const { stream, fromRevision, toRevision, events, positions } = range;
  const revisions =
    fromRevision === toRevision ? `revision ${fromRevision}` : `revisions ${fromRevision} to ${toRevision}`;
  const where =
    positions.length === events
      ? `position ${positions.length > 1 ? `${positions[0]} to ${positions[positions.length - 1]}` : positions[0]}`
      : `after position ${range.after ?? 'none'}${range.before === undefined ? '' : `, before ${range.before}`}`;
  return `  missing: ${formatCount(events, 'event')} of ${stream}, ${revisions}, ${where}`;
}

function formatCount(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
