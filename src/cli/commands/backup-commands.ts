import { type Command, InvalidArgumentError } from 'commander';
import type { BackupManifest } from '../../operations/backup/backup-manifest.js';
import { requireEmbeddedDataDir } from '../local-operations.js';
import { tryParseIsoTime, withExamples } from '../command-definition.js';
import { readLocalSettings, runToExitStatus } from '../exit-status.js';
import { printResult, withProgressBar } from '../terminal-output.js';
import { readPackageVersion } from '../../config/package-version.js';
import type { RestorePoint, RestoreResult } from '../../operations/backup/backup-restore.js';
import type { Position } from '../../streams/event-store.js';

interface BackupCommandOptions {
  readonly logOnly?: boolean;
  readonly json?: boolean;
}

export function addBackup(program: Command): void {
  const command = program
    .command('backup')
    .description(
      'copy log and read models of the data folder into a new one, consistent, while the service goes on; holds no secret in the clear',
    )
    .argument('<folder>', 'that is not there yet, or empty')
    .option('--log-only', 'leave the read models out: the first start after a restore rebuilds them')
    .option('--json', 'print the manifest')
    .action((folder: string, options: BackupCommandOptions) =>
      runToExitStatus(() => runBackup(requireEmbeddedDataDir(readLocalSettings(), options.logOnly), folder, options)),
    );
  withExamples(command, 'hindsight backup /backups/monday', 'hindsight backup /backups/monday --log-only');
}

/** True when no event is damaged: a backup of damaged events is one, but their bytes are lost. */
async function runBackup(
  dataDir: string,
  folder: string,
  { logOnly = false, json = false }: BackupCommandOptions,
): Promise<boolean> {
  const options = { logOnly, hindsight: readPackageVersion(), now: Date.now() };
  const { backUpDataFolder } = await import('../../runtime/offline/data-folder-backup.js');
  const manifest = await withProgressBar('log     ', 'events', json, (onProgress) =>
    backUpDataFolder(dataDir, folder, { ...options, onProgress }),
  );
  printResult(json, manifest, formatBackup(folder, manifest));
  return manifest.damaged.length === 0;
}

function formatBackup(folder: string, { files, events, position, damaged, readModels }: BackupManifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const lines = [
    `${folder}: ${events} events up to position ${position ?? 'none'}, ${(bytes / 2 ** 20).toFixed(1)} MiB${readModels === undefined ? ', the log alone' : ''}`,
  ];
  if (damaged.length > 0) lines.push(`DAMAGED in the log, and so in the backup: ${damaged.join(', ')}`);
  return lines.join('\n');
}

interface RestoreCommandOptions {
  readonly dataDir?: string;
  readonly until?: RestorePoint;
  readonly verify: boolean;
  readonly json?: boolean;
}

export function addRestore(program: Command): void {
  const command = program
    .command('restore')
    .description(
      'put a backup into an empty data folder: hashes are checked, and the read models proven by a replay of the log',
    )
    .argument('<backup>', 'folder that `hindsight backup` wrote')
    .option('--data-dir <folder>', 'empty or not there yet; DATA_DIR when left out')
    .option(
      '--until <position|time>',
      'leave out what was recorded after this position or ISO time; read models are rebuilt at the next start',
      parseRestorePoint,
    )
    .option('--no-verify', 'check hashes alone: a replay takes as long as `hindsight verify`')
    .option('--json', 'print one JSON object')
    .action((folder: string, options: RestoreCommandOptions) => runToExitStatus(() => runRestore(folder, options)));
  withExamples(
    command,
    'hindsight restore /backups/monday --data-dir ./restored',
    'hindsight restore /backups/monday --until 2026-11-20T12:00:00Z',
  );
}

async function runRestore(
  backup: string,
  { dataDir = requireEmbeddedDataDir(readLocalSettings()), until, verify, json = false }: RestoreCommandOptions,
): Promise<boolean> {
  const { restoreDataFolder } = await import('../../runtime/offline/data-folder-backup.js');
  const restored = await withProgressBar('log     ', 'events', json || until === undefined, (onProgress) =>
    restoreDataFolder(backup, dataDir, { until, verify, onProgress }),
  );
  printResult(json, { ...restored, dataDir }, formatRestore(dataDir, restored));
  return true;
}

function formatRestore(dataDir: string, { position, events, proven }: RestoreResult): string {
  const first = `${dataDir}: ${events} events up to position ${position ?? 'none'}`;
  if (proven.length === 0)
    return `${first}; read models that are missing are rebuilt by the next start, \`hindsight verify\` proves them`;
  return [first, ...proven.map(({ projection, digest }) => `ok      ${projection}: ${digest}`)].join('\n');
}

/** Positions are 16 hex digits, so no time is taken for one. */
function parseRestorePoint(text: string): RestorePoint {
  if (/^[0-9a-f]{16}$/.test(text)) return { position: text as Position };
  const recordedAt = tryParseIsoTime(text);
  if (recordedAt === undefined) throw new InvalidArgumentError('It must be a position (16 hex digits) or an ISO time.');
  return { recordedAt };
}
