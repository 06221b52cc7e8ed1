import type { Command } from 'commander';
import type { AuditPage } from '../administration.js';
import { withExamples } from '../examples.js';
import { GRID_ARGUMENT, onGrid } from '../on-grid.js';
import { wholeNumberFrom } from '../option-values.js';
import { note, print } from '../terminal/output.js';
import { table } from '../terminal/table.js';
import { withTarget, type TargetOptions } from '../with-administration.js';

/** Bounds as the API has them: on this machine nobody else would tell. */
const MAX_PAGE = 999_999_999;
const MAX_PAGE_SIZE = 100;

interface AuditOptions extends TargetOptions {
  readonly page: number;
  readonly pageSize: number;
}

export function addAudit(program: Command): void {
  const command = program.command('audit').description('who changed what in a Grid and when, newest first')
    .argument('<grid>', GRID_ARGUMENT)
    .option('--page <number>', 'which page, from 1', wholeNumberFrom(1, MAX_PAGE), 1)
    .option('--page-size <entries>', 'entries a page, at most 100', wholeNumberFrom(1, MAX_PAGE_SIZE), 20)
    .action((grid: string, options: AuditOptions) => onGrid(options, grid, async (administration, gridId) => {
      const found = await administration.audit(gridId, options.page, options.pageSize);
      print(options.json === true, found, listed(found));
      if (options.json !== true) noteOnMore(found);
    }));
  withExamples(withTarget(command), 'hindsight audit shop', 'hindsight audit shop --page 2 --page-size 100 --json');
}

function listed({ entries }: AuditPage): string {
  return table(entries, [
    { title: 'at', of: ({ at }) => at },
    { title: 'actor', of: ({ actor }) => actor },
    { title: 'action', of: ({ action }) => action },
    { title: 'target', of: ({ target }) => target },
    { title: 'details', of: ({ details }) => (Object.keys(details).length === 0 ? '' : JSON.stringify(details)) },
  ], 'nothing here');
}

function noteOnMore({ totalCount, page, pageSize }: AuditPage): void {
  const pages = Math.ceil(totalCount / pageSize);
  if (pages > 1) note(`page ${page} of ${pages}, ${totalCount} entries`);
}
