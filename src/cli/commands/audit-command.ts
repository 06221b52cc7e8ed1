import type { Command } from 'commander';
import type { AuditPage } from '../../operations/administration/administration-port.js';
import { createWholeNumberParser, withExamples } from '../command-definition.js';
import { addTargetOptions, GRID_ARGUMENT_HELP, runOnGrid, type TargetOptions } from '../command-target.js';
import { formatTable, printNote, printResult } from '../terminal-output.js';

/** Bounds as in the API; local operations do not check them. */
const MAX_PAGE = 999_999_999;
const MAX_PAGE_SIZE = 100;

interface AuditOptions extends TargetOptions {
  readonly page: number;
  readonly pageSize: number;
}

export function addAudit(program: Command): void {
  const command = program
    .command('audit')
    .description('show who changed what in a Grid and when, newest first')
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .option('--page <number>', 'page number, from 1', createWholeNumberParser(1, MAX_PAGE), 1)
    .option('--page-size <entries>', 'entries per page, at most 100', createWholeNumberParser(1, MAX_PAGE_SIZE), 20)
    .action((grid: string, options: AuditOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        const auditPage = await administration.readAuditPage(gridId, options.page, options.pageSize);
        printResult(options.json === true, auditPage, formatAuditPage(auditPage));
        if (options.json !== true) printPageNote(auditPage);
      }),
    );
  withExamples(
    addTargetOptions(command),
    'hindsight audit shop',
    'hindsight audit shop --page 2 --page-size 100 --json',
  );
}

function formatAuditPage({ entries }: AuditPage): string {
  return formatTable(
    entries,
    [
      { title: 'at', value: ({ at }) => at },
      { title: 'actor', value: ({ actor }) => actor },
      { title: 'action', value: ({ action }) => action },
      { title: 'target', value: ({ target }) => target },
      { title: 'details', value: ({ details }) => (Object.keys(details).length === 0 ? '' : JSON.stringify(details)) },
    ],
    'no entries',
  );
}

function printPageNote({ totalCount, page, pageSize }: AuditPage): void {
  const pages = Math.ceil(totalCount / pageSize);
  if (pages > 1) printNote(`page ${page} of ${pages}, ${totalCount} entries`);
}
