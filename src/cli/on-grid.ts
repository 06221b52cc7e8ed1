import type { Administration } from './administration.js';
import { chosenGrid } from './chosen-grid.js';
import { finish } from './finish.js';
import { withAdministration, type TargetOptions } from './with-administration.js';

/** What the help says of the argument that names the Grid. */
export const GRID_ARGUMENT = 'id or name of the Grid';

/** Runs a command that administers the Grid with this id or name, to its exit status. */
export function onGrid(options: TargetOptions, grid: string, work: (administration: Administration, gridId: string) => Promise<void>): Promise<void> {
  return finish(() => withAdministration(options, async (administration) => {
    await work(administration, await chosenGrid(administration, grid));
    return true;
  }));
}
