import { Option, type Command } from 'commander';
import {
  API_KEY_KINDS,
  type ApiKey,
  type ApiKeyKind,
  type IssuedApiKey,
} from '../../operations/administration/administration-port.js';
import { withExamples } from '../command-definition.js';
import { addTargetOptions, GRID_ARGUMENT_HELP, runOnGrid, type TargetOptions } from '../command-target.js';
import { escapeTerminalControls, formatTable, printNote, printResult } from '../terminal-output.js';

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('manage the API keys with which applications send telemetry');
  addList(keys);
  addIssue(keys);
  addRegenerate(keys);
  addRevoke(keys);
}

function addList(keys: Command): void {
  const command = keys
    .command('list')
    .description('list the API keys of a Grid with their last use, last accepted and last refused request')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .action((grid: string, options: TargetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        const apiKeys = await administration.listApiKeys(gridId);
        printResult(options.json === true, apiKeys, formatKeys(apiKeys));
      }),
    );
  withExamples(addTargetOptions(command), 'hindsight keys list shop');
}

function addIssue(keys: Command): void {
  const command = keys
    .command('issue')
    .description('issue an API key; it is shown only once')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .argument('<name>', 'purpose of the key')
    .addOption(
      new Option('--kind <kind>', 'what the key may do: send telemetry, read the API, or both')
        .choices(API_KEY_KINDS)
        .default('full'),
    )
    .action((grid: string, name: string, options: TargetOptions & { readonly kind: ApiKeyKind }) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        printIssuedKey(await administration.issueApiKey(gridId, name, options.kind), options);
      }),
    );
  withExamples(
    addTargetOptions(command),
    'hindsight keys issue shop checkout',
    'export OTEL_EXPORTER_OTLP_HEADERS="api-key=$(hindsight keys issue shop checkout --kind send)"',
  );
}

function addRegenerate(keys: Command): void {
  const command = keys
    .command('regenerate')
    .description('replace the secret of an API key, shown only once; the former secret becomes invalid at once')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .argument('<keyId>', 'key id as in `keys list`')
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
    .description('revoke an API key permanently, with immediate effect')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .argument('<keyId>', 'key id as in `keys list`')
    .action((grid: string, keyId: string, options: TargetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        await administration.revokeApiKey(gridId, keyId);
        printResult(
          options.json === true,
          { keyId, revoked: true },
          `API key ${escapeTerminalControls(keyId)} revoked`,
        );
      }),
    );
  withExamples(addTargetOptions(command), 'hindsight keys revoke shop 3yGqWc0J5Zk1rT8b');
}

/** Prints only the key to stdout, for scripts; the rest goes to stderr. */
function printIssuedKey(issued: IssuedApiKey, { json }: TargetOptions): void {
  if (json !== true) printNote(`API key ${issued.keyId} (${escapeTerminalControls(issued.name)}), shown only once:`);
  printResult(json === true, issued, issued.apiKey);
}

function formatKeys(keys: readonly ApiKey[]): string {
  return formatTable(
    keys,
    [
      { title: 'key id', value: ({ keyId }) => keyId },
      { title: 'name', value: ({ name }) => name },
      { title: 'kind', value: ({ kind }) => kind },
      { title: 'role', value: ({ role }) => role },
      { title: 'created', value: ({ createdAt }) => createdAt },
      { title: 'by', value: ({ createdBy }) => createdBy },
      { title: 'last used', value: ({ lastUsedAt }) => lastUsedAt },
      {
        title: 'last sent',
        value: ({ lastSent }) =>
          lastSent
            .map(
              ({ signal, accepted, rejected, message }) =>
                `${accepted} ${signal}${rejected === 0 ? '' : `, ${rejected} rejected: ${message}`}`,
            )
            .join('; '),
      },
      { title: 'last refused', value: ({ lastRefused }) => lastRefused && `${lastRefused.at} ${lastRefused.reason}` },
    ],
    'no keys\n  → hindsight keys issue <grid> <name>',
  );
}
