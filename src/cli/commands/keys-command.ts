import type { Command } from 'commander';
import type { ApiKey, IssuedApiKey } from '../../operations/administration/administration-port.js';
import { withExamples } from '../command-definition.js';
import { addTargetOptions, GRID_ARGUMENT_HELP, runOnGrid, type TargetOptions } from '../command-target.js';
import { escapeTerminalControls, formatTable, printNote, printResult } from '../terminal-output.js';

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('API keys: what applications send telemetry with');
  addList(keys);
  addIssue(keys);
  addRegenerate(keys);
  addRevoke(keys);
}

function addList(keys: Command): void {
  const command = keys
    .command('list')
    .description('list the keys of a Grid: when each was used, what it last sent, and what was refused and why')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .action((grid: string, options: TargetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        const found = await administration.listApiKeys(gridId);
        printResult(options.json === true, found, formatKeys(found));
      }),
    );
  withExamples(addTargetOptions(command), 'hindsight keys list shop');
}

function addIssue(keys: Command): void {
  const command = keys
    .command('issue')
    .description('issue a key; it is shown this once')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .argument('<name>', 'what it is for')
    .action((grid: string, name: string, options: TargetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        printIssuedKey(await administration.issueApiKey(gridId, name), options);
      }),
    );
  withExamples(
    addTargetOptions(command),
    'hindsight keys issue shop checkout',
    'export OTEL_EXPORTER_OTLP_HEADERS="api-key=$(hindsight keys issue shop checkout)"',
  );
}

function addRegenerate(keys: Command): void {
  const command = keys
    .command('regenerate')
    .description('give a key a new secret, shown this once; the former one is void at once')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .argument('<keyId>', 'as `keys list` shows it')
    .action((grid: string, keyId: string, options: TargetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        printIssuedKey(await administration.regenerateApiKey(gridId, keyId), options);
      }),
    );
  withExamples(addTargetOptions(command), 'hindsight keys regenerate shop 3yGqWc0J5Zk1rT8b');
}

function addRevoke(keys: Command): void {
  const command = keys
    .command('revoke')
    .description('make a key void at once and for good')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .argument('<keyId>', 'as `keys list` shows it')
    .action((grid: string, keyId: string, options: TargetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        await administration.revokeApiKey(gridId, keyId);
        printResult(options.json === true, { keyId, revoked: true }, `${escapeTerminalControls(keyId)} is void`);
      }),
    );
  withExamples(addTargetOptions(command), 'hindsight keys revoke shop 3yGqWc0J5Zk1rT8b');
}

/** The key alone on stdout, so that a script can take it; the rest is for people. */
function printIssuedKey(issued: IssuedApiKey, { json }: TargetOptions): void {
  if (json !== true)
    printNote(`key ${issued.keyId} (${escapeTerminalControls(issued.name)}); it is shown only this once:`);
  printResult(json === true, issued, issued.apiKey);
}

function formatKeys(keys: readonly ApiKey[]): string {
  return formatTable(
    keys,
    [
      { title: 'key id', of: ({ keyId }) => keyId },
      { title: 'name', of: ({ name }) => name },
      { title: 'role', of: ({ role }) => role },
      { title: 'created', of: ({ createdAt }) => createdAt },
      { title: 'by', of: ({ createdBy }) => createdBy },
      { title: 'last used', of: ({ lastUsedAt }) => lastUsedAt },
      {
        title: 'last sent',
        of: ({ lastSent }) =>
          lastSent
            .map(
              ({ signal, accepted, rejected, message }) =>
                `${accepted} ${signal}${rejected === 0 ? '' : `, ${rejected} rejected: ${message}`}`,
            )
            .join('; '),
      },
      { title: 'last refused', of: ({ lastRefused }) => lastRefused && `${lastRefused.at} ${lastRefused.reason}` },
    ],
    'no keys\n  → hindsight keys issue <grid> <name>',
  );
}
