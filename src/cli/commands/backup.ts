import type { Command } from 'commander';
import type { Manifest } from '../../backup/manifest.js';
import { embeddedDataDir } from '../embedded-data-dir.js';
import { withExamples } from '../examples.js';
import { finish, localSettings } from '../finish.js';
import { withProgress } from '../progress.js';
import { print } from '../terminal/output.js';
import { version } from '../version.js';

interface Options {
  readonly logOnly?: boolean;
  readonly json?: boolean;
}

export function addBackup(program: Command): void {
  const command = program
    .command('backup')
    .description('copy log and read models of the data folder into a new one, consistent, while the service goes on; holds no secret in the clear')
    .argument('<folder>', 'that is not there yet, or empty')
    .option('--log-only', 'leave the read models out: the first start after a restore rebuilds them')
    .option('--json', 'print the manifest')
    .action((folder: string, options: Options) => finish(() => backup(embeddedDataDir(localSettings(), options.logOnly), folder, options)));
  withExamples(command, 'hindsight backup /backups/monday', 'hindsight backup /backups/monday --log-only');
}

/** True when no event is damaged: a backup of damaged events is one, but their bytes are lost. */
async function backup(dataDir: string, folder: string, { logOnly = false, json = false }: Options): Promise<boolean> {
  const options = { logOnly, hindsight: version(), now: Date.now() };
  const { backUpStores } = await import('../../offline/backup.js');
  const manifest = await withProgress('log     ', 'events', json, (onProgress) => backUpStores(dataDir, folder, { ...options, onProgress }));
  print(json, manifest, told(folder, manifest));
  return manifest.damaged.length === 0;
}

function told(folder: string, { files, events, position, damaged, readModels }: Manifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const lines = [`${folder}: ${events} events up to position ${position ?? 'none'}, ${(bytes / 2 ** 20).toFixed(1)} MiB${readModels === undefined ? ', the log alone' : ''}`];
  if (damaged.length > 0) lines.push(`DAMAGED in the log, and so in the backup: ${damaged.join(', ')}`);
  return lines.join('\n');
}
