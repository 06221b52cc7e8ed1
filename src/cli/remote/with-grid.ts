import type { Command } from 'commander';
import { chosenGrid } from '../chosen-grid.js';
import { readCliEnvironment } from '../environment.js';
import { HindsightError } from '../../errors.js';
import { remoteUrl, serviceApi, withTarget, type TargetOptions } from '../with-administration.js';
import { remoteAdministration } from './remote-administration.js';
import type { ServiceApi } from './service-api.js';

export interface GridOptions extends TargetOptions {
  readonly grid?: string;
}

/** For commands that look into a Grid through the API; on this machine too, for which one logs in. */
export function withGridOption(command: Command): Command {
  return withTarget(command.option('--grid <id|name>', 'which Grid; may be left out where you are a member of one alone'));
}

/** Calls the service that is meant about the Grid that is meant. */
export async function withGrid<Result>(options: GridOptions, work: (api: ServiceApi, gridId: string) => Promise<Result>): Promise<Result> {
  const environment = readCliEnvironment();
  const api = serviceApi(remoteUrl(options, environment), environment);
  const administration = remoteAdministration(api);
  if (options.grid !== undefined) return work(api, await chosenGrid(administration, options.grid));
  const [only, ...others] = await administration.grids();
  if (only === undefined) throw new HindsightError('not-found', 'you are a member of no Grid\n  → ask an Owner, or hindsight grids create <name>');
  if (others.length > 0) throw new HindsightError('invalid-request', `which Grid? --grid takes one of ${[only, ...others].map(({ name }) => `"${name}"`).join(', ')}`);
  return work(api, only.gridSecondaryId);
}
