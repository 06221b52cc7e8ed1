import type { NewMember } from '../../commands/grid/commands.js';
import { shown } from '../../commands/shown.js';
import type { Principal } from '../../auth/principal.js';
import type { GridRecord } from '../../queries/administration/questions.js';
import { Problem } from '../problems/problem.js';
import { GridChangesModel, NewGridModel } from '../requests/administration.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { Grid, Grids } from '../schemas/administration.js';
import type { Shown } from '../schemas/terms.js';
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
    operationId: 'createGrid',
    summary: 'Create a Grid, of which the caller becomes Owner',
    status: 201,
    body: NewGridModel,
    run: ({ grids }, { principal, body }) => shown(grids, grids.createGrid(principal.id, body.name, memberOf(principal))),
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
    run({ administration }, { principal }) {
      const { id, kind } = memberOf(principal);
      return administration.gridRecordsOf(id, kind);
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
    operationId: 'getGrid',
    summary: 'Read a Grid with its settings',
    missing: 'There is no such Grid.',
    run: ({ administration }, { params }) => administration.gridRecord(params.gridSecondaryId),
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
    operationId: 'changeGrid',
    summary: 'Change settings of a Grid',
    description: 'What is left out stays as it is. What arrives, and what is asked, after the answer is judged by the new settings.',
    body: GridChangesModel,
    refusals: ['conflict', 'not-found'],
    run: ({ grids }, { principal, params, body }) => shown(grids, grids.changeSettings(principal.id, params.gridSecondaryId, { ...body })),
    answer: Grid,
    present: presentGrid,
  }),
];

function presentGrid({ gridId, name, apdexThresholdMs, errorRateThreshold, apdexHealthThreshold, retentionDays, subscriptionActive, createdAt }: GridRecord): Shown<typeof Grid> {
  return { gridSecondaryId: gridId, name, apdexThresholdMs, errorRateThreshold, apdexHealthThreshold, retentionDays, subscriptionActive, createdAt: iso(createdAt) };
}

/** As memberships know the caller. Keys are no members, and do not come here. */
function memberOf({ kind, id }: Principal): NewMember {
  if (kind === 'key') throw new Problem('forbidden', 'An API key is no member of any Grid.');
  return { id, kind };
}
