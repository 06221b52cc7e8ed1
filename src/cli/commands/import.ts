import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Settings } from '../../config.js';
import { withExamples } from '../examples.js';
import { finish, localSettings } from '../finish.js';
import { operatorOfThisMachine } from '../local-administration.js';
import type { ImportedGrid } from '../operations.js';
import { withProgress } from '../progress.js';
import { print } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';
import { withOperations } from '../with-operations.js';

interface Options {
  readonly name?: string;
  readonly owner?: string;
  readonly key?: boolean;
  readonly json?: boolean;
}

export function addImport(program: Command): void {
  const command = program
    .command('import')
    .description('make a new Grid of a slice that `hindsight export` wrote, kept for ever; the file is verified first')
    .argument('<file>', 'a slice')
    .option('--name <name>', 'of the new Grid; as it was called when left out')
    .option('--owner <userId>', 'who becomes its Owner; BOOTSTRAP_OWNER when left out')
    .option('--key', 'issue an API key, so that more can be sent to it')
    .option('--json', 'print one JSON object')
    .action((file: string, options: Options) => finish(() => importFile(localSettings(), file, options)));
  withExamples(command, 'hindsight import incident.slice.ndjson.gz --name incident --owner alice');
}

function importFile(settings: Settings, file: string, { name, owner = settings.bootstrapOwner, key = false, json = false }: Options): Promise<boolean> {
  const request = { owner, actor: operatorOfThisMachine(), withKey: key, ...(name === undefined ? {} : { name }) };
  return withOperations(settings, async (operations) => {
    const imported = await withProgress('import  ', 'bytes', json, (onProgress) => operations.importSlice(resolve(file), request, onProgress));
    print(json, imported, told(imported, owner));
    return true;
  });
}

function told({ gridId, name, events, records, slice: { from, to }, resumed, apiKey }: ImportedGrid, owner: string): string {
  const lines = [`Grid ${shownText(name)}: ${gridId}`, `${events} events with ${records} spans, log records and data points, ${from} to ${to}; its Owner is ${owner}`];
  if (resumed > 0) lines.push(`${resumed} requests were there from an import that was cut short`);
  if (apiKey !== undefined) lines.push(`API key, shown only this once: ${apiKey}`);
  return lines.join('\n');
}
