import type { NewMember } from '../../commands/grids/grid-command-types.js';
import { waitUntilVisible } from '../../commands/read-your-writes.js';
import type { Member as Membership } from '../../auth/member-role.js';
import type { Principal } from '../../auth/principal.js';
import type { GridRecord, MemberRecord } from '../../queries/administration/administration-query-types.js';
import { Problem } from '../problems/problem-details.js';
import {
  AuditPageModel,
  GridChangesModel,
  MemberRoleModel,
  NewGridModel,
  toPageRequest,
} from '../requests/administration-requests.js';
import { defineRoute, EVERY_ROLE, type Role, type Route } from '../route.js';
import { Audit, Grid, Grids, Member, Members } from '../schemas/administration-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { listGridRecords } from '../steps/grids-of-member.js';
import { toPrecondition } from './definition-changes.js';
import { formatTimestamp } from './value-conversions.js';
import { EMPTY_REQUEST } from '../requests/request-parser.js';

const GRID_ROUTE = { tag: 'Administration', apiKeys: false } as const;
const GRIDS_PATH = '/admin/grids';
const GRID_PATH = `${GRIDS_PATH}/{gridSecondaryId}` as const;

export const gridRoutes: readonly Route[] = [
  defineRoute({
    ...GRID_ROUTE,
    grid: 'none',
    roles: EVERY_ROLE,
    method: 'POST',
    path: GRIDS_PATH,
    tagged: true,
    operationId: 'createGrid',
    summary: 'Create a Grid with the caller as Owner',
    description: 'One user may create at most GRIDS_PER_USER Grids; GRID_CREATORS may name those who may create any.',
    status: 201,
    body: NewGridModel,
    refusals: ['conflict'],
    run: async ({ grids, defaultRetentionDays }, { principal, body }) =>
      applyDefaultRetention(
        defaultRetentionDays,
        await waitUntilVisible(grids, grids.createGrid(principal.id, body.name, toNewMember(principal))),
      ),
    responseSchema: Grid,
    present: presentGrid,
  }),
  defineRoute({
    ...GRID_ROUTE,
    grid: 'none',
    roles: EVERY_ROLE,
    method: 'GET',
    path: GRIDS_PATH,
    operationId: 'listGrids',
    summary: 'List the Grids of the caller',
    async run({ administration, defaultRetentionDays }, { principal }) {
      const grids = await listGridRecords(administration, requireMember(principal));
      return grids.map((grid) => applyDefaultRetention(defaultRetentionDays, grid));
    },
    responseSchema: Grids,
    present: (grids) => ({ grids: grids.map(presentGrid) }),
  }),
  defineRoute({
    ...GRID_ROUTE,
    grid: 'path',
    roles: EVERY_ROLE,
    whileInactive: true,
    method: 'GET',
    path: GRID_PATH,
    tagged: true,
    operationId: 'getGrid',
    summary: 'Read a Grid with its settings',
    missing: 'This Grid does not exist.',
    async run({ administration, defaultRetentionDays }, { params }) {
      const grid = await administration.gridRecord(params.gridSecondaryId);
      return grid && applyDefaultRetention(defaultRetentionDays, grid);
    },
    responseSchema: Grid,
    present: presentGrid,
  }),
  defineRoute({
    ...GRID_ROUTE,
    grid: 'path',
    roles: ['Owner'],
    whileInactive: true,
    method: 'PATCH',
    path: GRID_PATH,
    tagged: true,
    operationId: 'changeGrid',
    summary: 'Change the settings of a Grid',
    description: 'Omitted settings keep their values. Telemetry and queries after the response use the new settings.',
    body: GridChangesModel,
    refusals: ['conflict', 'not-found'],
    async run({ grids, defaultRetentionDays }, { principal, params, body, condition }) {
      const expected = toPrecondition(condition, (grid: GridRecord) =>
        presentGrid(applyDefaultRetention(defaultRetentionDays, grid)),
      );
      return applyDefaultRetention(
        defaultRetentionDays,
        await waitUntilVisible(
          grids,
          grids.changeSettings(principal.id, params.gridSecondaryId, { ...body }, expected),
        ),
      );
    },
    responseSchema: Grid,
    present: presentGrid,
  }),
];

/** A Grid with its effective retention. */
interface GridWithRetention extends GridRecord {
  readonly retentionDays: number;
}

function applyDefaultRetention(defaultDays: number, grid: GridRecord): GridWithRetention {
  return { ...grid, retentionDays: grid.retentionDays ?? defaultDays };
}

function presentGrid({
  gridId,
  name,
  apdexThresholdMs,
  errorRateThreshold,
  apdexHealthThreshold,
  retentionDays,
  subscriptionActive,
  createdAt,
}: GridWithRetention): ResponseBody<typeof Grid> {
  return {
    gridSecondaryId: gridId,
    name,
    apdexThresholdMs,
    errorRateThreshold,
    apdexHealthThreshold,
    retentionDays,
    subscriptionActive,
    createdAt: formatTimestamp(createdAt),
  };
}

/** The caller as a member. Throws 403 for API keys, which cannot be members. */
function requireMember(principal: Principal): Membership {
  if (principal.kind === 'key') throw new Problem('forbidden', 'An API key is not a member of any Grid.');
  return principal;
}

function toNewMember(principal: Principal): NewMember {
  const { id, kind } = requireMember(principal);
  return { id, kind };
}

const MEMBER_ADMIN_ROLES: readonly Role[] = ['Owner'];
const MEMBER_ROUTE = { tag: 'Administration', grid: 'path', roles: MEMBER_ADMIN_ROLES, apiKeys: false } as const;
const MEMBERS_PATH = '/admin/grids/{gridSecondaryId}/members';
const MEMBER_PATH = `${MEMBERS_PATH}/{userId}` as const;

export const memberRoutes: readonly Route[] = [
  defineRoute({
    ...MEMBER_ROUTE,
    method: 'GET',
    path: MEMBERS_PATH,
    operationId: 'listMembers',
    summary: 'List the members of a Grid',
    run: ({ administration }, { params }) => administration.members(params.gridSecondaryId),
    responseSchema: Members,
    present: (members) => ({ members: members.map(presentMember) }),
  }),
  defineRoute({
    ...MEMBER_ROUTE,
    method: 'PUT',
    path: MEMBER_PATH,
    operationId: 'setMember',
    summary: 'Add a member to a Grid or change its role',
    description: 'Takes effect with the next call of the member. The role of the last Owner cannot be changed.',
    body: MemberRoleModel,
    refusals: ['invalid-request', 'last-owner', 'conflict', 'not-found'],
    run: ({ grids }, { principal, params, body }) =>
      waitUntilVisible(grids, grids.setMember(principal.id, params.gridSecondaryId, params.userId, body.role)),
    responseSchema: Member,
    present: presentMember,
  }),
  defineRoute({
    ...MEMBER_ROUTE,
    method: 'DELETE',
    path: MEMBER_PATH,
    operationId: 'removeMember',
    summary: 'Remove a member from a Grid',
    description: 'The next call of the member is rejected, and its open streams end. The last Owner cannot be removed.',
    status: 204,
    refusals: ['last-owner', 'conflict', 'not-found'],
    run: ({ grids }, { principal, params }) =>
      waitUntilVisible(grids, grids.removeMember(principal.id, params.gridSecondaryId, params.userId)),
    present: () => new EMPTY_REQUEST(),
  }),
];

function presentMember({ userId, role, addedAt, addedBy }: MemberRecord): ResponseBody<typeof Member> {
  return { userId, role, addedAt: formatTimestamp(addedAt), addedBy };
}

export const auditRoutes: readonly Route[] = [
  defineRoute({
    tag: 'Administration',
    grid: 'path',
    roles: ['Owner'],
    apiKeys: false,
    method: 'GET',
    path: '/admin/grids/{gridSecondaryId}/audit',
    operationId: 'readAudit',
    summary: 'Read the audit log of a Grid',
    query: AuditPageModel,
    async run({ administration }, { params, query }) {
      const { page, pageSize } = toPageRequest(query);
      return { ...(await administration.audit(params.gridSecondaryId, page, pageSize)), page, pageSize };
    },
    responseSchema: Audit,
    present: ({ entries, totalCount, page, pageSize }) => ({
      entries: entries.map(({ at, actor, action, target, details }) => ({
        at: formatTimestamp(at),
        actor,
        action,
        target,
        details,
      })),
      totalCount,
      page,
      pageSize,
    }),
  }),
];
