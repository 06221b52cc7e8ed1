import type { NewMember } from '../../commands/grid/commands.js';
import { shown } from '../../commands/shown.js';
import type { Principal } from '../../auth/principal.js';
import type { GridRecord } from '../../queries/administration/questions.js';
import { Problem } from '../problems/problem.js';
import { GridChangesModel, NewGridModel } from '../requests/administration.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { Grid, Grids } from '../schemas/administration.js';
import type { Shown } from '../schemas/terms.js';
import { onlyIf } from './definitions.js';
import { iso } from './iso.js';

const shared = { tag: 'Administration', apiKeys: false } as const;
const GRIDS = '/admin/grids';
const GRID = `${GRIDS}/{gridSecondaryId}` as const;

export const gridRoutes: readonly Route[] = [
  route({
    ...shared,
    grid: 'none',
    roles: EVERY_ROLE,
    method: 'POST',
    path: GRIDS,
    tagged: true,
    operationId: 'createGrid',
    summary: 'Create a Grid, of which the caller becomes Owner',
    status: 201,
    body: NewGridModel,
    run: async ({ grids, defaultRetentionDays }, { principal, body }) => kept(defaultRetentionDays, await shown(grids, grids.createGrid(principal.id, body.name, memberOf(principal)))),
    answer: Grid,
    present: presentGrid,
  }),
  route({
    ...shared,
    grid: 'none',
    roles: EVERY_ROLE,
    method: 'GET',
    path: GRIDS,
    operationId: 'listGrids',
    summary: "List the caller's Grids",
    async run({ administration, defaultRetentionDays }, { principal }) {
      const { id, kind } = memberOf(principal);
      return (await administration.gridRecordsOf(id, kind)).map((grid) => kept(defaultRetentionDays, grid));
    },
    answer: Grids,
    present: (grids) => ({ grids: grids.map(presentGrid) }),
  }),
  route({
    ...shared,
    grid: 'path',
    roles: EVERY_ROLE,
    whileInactive: true,
    method: 'GET',
    path: GRID,
    tagged: true,
    operationId: 'getGrid',
    summary: 'Read a Grid with its settings',
    missing: 'There is no such Grid.',
    async run({ administration, defaultRetentionDays }, { params }) {
      const grid = await administration.gridRecord(params.gridSecondaryId);
      return grid && kept(defaultRetentionDays, grid);
    },
    answer: Grid,
    present: presentGrid,
  }),
  route({
    ...shared,
    grid: 'path',
    roles: ['Owner'],
    whileInactive: true,
    method: 'PATCH',
    path: GRID,
    tagged: true,
    operationId: 'changeGrid',
    summary: 'Change settings of a Grid',
    description: 'What is left out stays as it is. What arrives, and what is asked, after the answer is judged by the new settings.',
    body: GridChangesModel,
    refusals: ['conflict', 'not-found'],
    async run({ grids, defaultRetentionDays }, { principal, params, body, condition }) {
      const expected = onlyIf(condition, (grid: GridRecord) => presentGrid(kept(defaultRetentionDays, grid)));
      return kept(defaultRetentionDays, await shown(grids, grids.changeSettings(principal.id, params.gridSecondaryId, { ...body }, expected)));
    },
    answer: Grid,
    present: presentGrid,
  }),
];

/** A Grid of which it is known how long its telemetry is kept. */
interface KeptGrid extends GridRecord {
  readonly retentionDays: number;
}

function kept(defaultDays: number, grid: GridRecord): KeptGrid {
  return { ...grid, retentionDays: grid.retentionDays ?? defaultDays };
}

function presentGrid({ gridId, name, apdexThresholdMs, errorRateThreshold, apdexHealthThreshold, retentionDays, subscriptionActive, createdAt }: KeptGrid): Shown<typeof Grid> {
  return { gridSecondaryId: gridId, name, apdexThresholdMs, errorRateThreshold, apdexHealthThreshold, retentionDays, subscriptionActive, createdAt: iso(createdAt) };
}

/** As memberships know the caller. Keys are no members, and do not come here. */
function memberOf({ kind, id }: Principal): NewMember {
  if (kind === 'key') throw new Problem('forbidden', 'An API key is no member of any Grid.');
  return { id, kind };
}
