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
      'copy event log and read models into a new folder, consistently and while the service runs; contains no plain-text secret',
    )
    .argument('<folder>', 'new or empty folder')
    .option('--log-only', 'omit the read models: the first start after a restore rebuilds them')
    .option('--json', 'print the manifest')
    .action((folder: string, options: BackupCommandOptions) =>
      runToExitStatus(() => runBackup(requireEmbeddedDataDir(readLocalSettings(), options.logOnly), folder, options)),
    );
  withExamples(command, 'hindsight backup /backups/monday', 'hindsight backup /backups/monday --log-only');
}

/** Resolves to false when the backup contains damaged events: it is usable, but they are lost. */
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
    `${folder}: ${events} events up to position ${position ?? 'none'}, ${(bytes / 2 ** 20).toFixed(1)} MiB${readModels === undefined ? ', log only' : ''}`,
  ];
  if (damaged.length > 0) lines.push(`DAMAGED: the log, and so the backup, has ${formatDamagedPositions(damaged)}`);
  return lines.join('\n');
}

const MAX_LISTED_POSITIONS = 10;

/** `2 damaged events at 00…3c, 00…78`. */
function formatDamagedPositions(positions: readonly Position[]): string {
  const listed = positions.slice(0, MAX_LISTED_POSITIONS).join(', ');
  const more = positions.length - MAX_LISTED_POSITIONS;
  return `${positions.length} damaged ${positions.length === 1 ? 'event' : 'events'} at ${listed}${more > 0 ? ` and ${more} more` : ''}`;
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
      'restore a backup into an empty data folder; verifies hashes, and the read models by a replay of the log',
    )
    .argument('<backup>', 'folder created by `hindsight backup`')
    .option('--data-dir <folder>', 'new or empty folder; default: DATA_DIR')
    .option(
      '--until <position|time>',
      'restore events only up to this position or ISO time; the next start rebuilds the read models',
      parseRestorePoint,
    )
    .option('--no-verify', 'verify only hashes: a replay takes as long as `hindsight verify`')
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
  return restored.unproven.length === 0;
}

function formatRestore(dataDir: string, { position, events, proven, unproven }: RestoreResult): string {
  const first = `${dataDir}: ${events} events up to position ${position ?? 'none'}`;
  if (proven.length + unproven.length === 0)
    return `${first}; the next start rebuilds missing read models, \`hindsight verify\` checks them`;
  return [
    first,
    ...proven.map(({ projection, digest }) => `ok      ${projection}: ${digest}`),
    ...unproven.map(
      ({ projection, damaged }) =>
        `DAMAGED ${projection}: restored as backed up, but a replay cannot confirm it: the log has ${formatDamagedPositions(damaged)}`,
    ),
  ].join('\n');
}

/** A position has 16 hex digits, so it cannot be confused with a time. */
function parseRestorePoint(text: string): RestorePoint {
  if (/^[0-9a-f]{16}$/.test(text)) return { position: text as Position };
  const recordedAt = tryParseIsoTime(text);
  if (recordedAt === undefined) throw new InvalidArgumentError('It must be a position (16 hex digits) or an ISO time.');
  return { recordedAt };
}
