import type { Command } from 'commander';
import type { ApiKey, IssuedApiKey } from '../administration.js';
import { withExamples } from '../examples.js';
import { GRID_ARGUMENT, onGrid } from '../on-grid.js';
import { note, print } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';
import { table } from '../terminal/table.js';
import { withTarget, type TargetOptions } from '../with-administration.js';

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('API keys: what applications send telemetry with');
  addList(keys);
  addIssue(keys);
  addRegenerate(keys);
  addRevoke(keys);
}

function addList(keys: Command): void {
  const command = keys.command('list').description('list the keys of a Grid: when each was used, what it last sent, and what was refused and why')
    .argument('<grid>', GRID_ARGUMENT)
    .action((grid: string, options: TargetOptions) => onGrid(options, grid, async (administration, gridId) => {
      const found = await administration.apiKeys(gridId);
      print(options.json === true, found, listed(found));
    }));
  withExamples(withTarget(command), 'hindsight keys list shop');
}

function addIssue(keys: Command): void {
  const command = keys.command('issue').description('issue a key; it is shown this once')
    .argument('<grid>', GRID_ARGUMENT)
    .argument('<name>', 'what it is for')
    .action((grid: string, name: string, options: TargetOptions) => onGrid(options, grid, async (administration, gridId) => {
      show(await administration.issueApiKey(gridId, name), options);
    }));
  withExamples(withTarget(command), 'hindsight keys issue shop checkout', 'export OTEL_EXPORTER_OTLP_HEADERS="api-key=$(hindsight keys issue shop checkout)"');
}

function addRegenerate(keys: Command): void {
  const command = keys.command('regenerate').description('give a key a new secret, shown this once; the former one is void at once')
    .argument('<grid>', GRID_ARGUMENT)
    .argument('<keyId>', 'as `keys list` shows it')
    .action((grid: string, keyId: string, options: TargetOptions) => onGrid(options, grid, async (administration, gridId) => {
      show(await administration.regenerateApiKey(gridId, keyId), options);
    }));
  withExamples(withTarget(command), 'hindsight keys regenerate shop 3yGqWc0J5Zk1rT8b');
}

function addRevoke(keys: Command): void {
  const command = keys.command('revoke').description('make a key void at once and for good')
    .argument('<grid>', GRID_ARGUMENT)
    .argument('<keyId>', 'as `keys list` shows it')
    .action((grid: string, keyId: string, options: TargetOptions) => onGrid(options, grid, async (administration, gridId) => {
      await administration.revokeApiKey(gridId, keyId);
      print(options.json === true, { keyId, revoked: true }, `${shownText(keyId)} is void`);
    }));
  withExamples(withTarget(command), 'hindsight keys revoke shop 3yGqWc0J5Zk1rT8b');
}

/** The key alone on stdout, so that a script can take it; the rest is for people. */
function show(issued: IssuedApiKey, { json }: TargetOptions): void {
  if (json !== true) note(`key ${issued.keyId} (${shownText(issued.name)}); it is shown only this once:`);
  print(json === true, issued, issued.apiKey);
}

function listed(keys: readonly ApiKey[]): string {
  return table(keys, [
    { title: 'key id', of: ({ keyId }) => keyId },
    { title: 'name', of: ({ name }) => name },
    { title: 'role', of: ({ role }) => role },
    { title: 'created', of: ({ createdAt }) => createdAt },
    { title: 'by', of: ({ createdBy }) => createdBy },
    { title: 'last used', of: ({ lastUsedAt }) => lastUsedAt },
    { title: 'last sent', of: ({ lastSent }) => lastSent.map(({ signal, accepted, rejected, message }) => `${accepted} ${signal}${rejected === 0 ? '' : `, ${rejected} rejected: ${message}`}`).join('; ') },
    { title: 'last refused', of: ({ lastRefused }) => lastRefused && `${lastRefused.at} ${lastRefused.reason}` },
  ], 'no keys\n  → hindsight keys issue <grid> <name>');
}
