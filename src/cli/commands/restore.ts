import { InvalidArgumentError, type Command } from 'commander';
import type { Cut, Restored } from '../../backup/restore.js';
import type { Position } from '../../streams/event-store.js';
import { embeddedDataDir } from '../embedded-data-dir.js';
import { withExamples } from '../examples.js';
import { finish, localSettings } from '../finish.js';
import { timeIn } from '../option-values.js';
import { withProgress } from '../progress.js';
import { print } from '../terminal/output.js';

interface Options {
  readonly dataDir?: string;
  readonly until?: Cut;
  readonly verify: boolean;
  readonly json?: boolean;
}

export function addRestore(program: Command): void {
  const command = program
    .command('restore')
    .description('put a backup into an empty data folder: hashes are checked, and the read models proven by a replay of the log')
    .argument('<backup>', 'folder that `hindsight backup` wrote')
    .option('--data-dir <folder>', 'empty or not there yet; DATA_DIR when left out')
    .option('--until <position|time>', 'leave out what was recorded after this position or ISO time; read models are rebuilt at the next start', cutOf)
    .option('--no-verify', 'check hashes alone: a replay takes as long as `hindsight verify`')
    .option('--json', 'print one JSON object')
    .action((folder: string, options: Options) => finish(() => restore(folder, options)));
  withExamples(command, 'hindsight restore /backups/monday --data-dir ./restored', 'hindsight restore /backups/monday --until 2026-11-20T12:00:00Z');
}

async function restore(backup: string, { dataDir = embeddedDataDir(localSettings()), until, verify, json = false }: Options): Promise<boolean> {
  const { restoreStores } = await import('../../offline/backup.js');
  const restored = await withProgress('log     ', 'events', json || until === undefined, (onProgress) => restoreStores(backup, dataDir, { until, verify, onProgress }));
  print(json, { ...restored, dataDir }, told(dataDir, restored));
  return true;
}

function told(dataDir: string, { position, events, proven }: Restored): string {
  const first = `${dataDir}: ${events} events up to position ${position ?? 'none'}`;
  if (proven.length === 0) return `${first}; read models that are missing are rebuilt by the next start, \`hindsight verify\` proves them`;
  return [first, ...proven.map(({ projection, digest }) => `ok      ${projection}: ${digest}`)].join('\n');
}

/** Positions are 16 hex digits, so no time is taken for one. */
function cutOf(text: string): Cut {
  if (/^[0-9a-f]{16}$/.test(text)) return { position: text as Position };
  const recordedAt = timeIn(text);
  if (recordedAt === undefined) throw new InvalidArgumentError('It must be a position (16 hex digits) or an ISO time.');
  return { recordedAt };
}
