import { shown } from '../../commands/shown.js';
import type { MemberRecord } from '../../queries/administration/questions.js';
import { MemberRoleModel } from '../requests/administration.js';
import { NOTHING } from '../requests/parse.js';
import { route, type Role, type Route } from '../route.js';
import { Member, Members } from '../schemas/administration.js';
import type { Shown } from '../schemas/terms.js';
import { iso } from './iso.js';

const ROLES: readonly Role[] = ['Owner'];
const shared = { tag: 'Administration', grid: 'path', roles: ROLES, apiKeys: false } as const;
const MEMBERS = '/admin/grids/{gridSecondaryId}/members';
const MEMBER = `${MEMBERS}/{userId}` as const;

export const memberRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: MEMBERS,
    operationId: 'listMembers',
    summary: 'List the members of a Grid',
    run: ({ administration }, { params }) => administration.members(params.gridSecondaryId),
    answer: Members,
    present: (members) => ({ members: members.map(presentMember) }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: MEMBER,
    operationId: 'setMember',
    summary: 'Add a member to a Grid, or change its role',
    description: 'Counts from its next call on. The last Owner keeps that role.',
    body: MemberRoleModel,
    refusals: ['invalid-request', 'last-owner', 'conflict', 'not-found'],
    run: ({ grids }, { principal, params, body }) => shown(grids, grids.setMember(principal.id, params.gridSecondaryId, params.userId, body.role)),
    answer: Member,
    present: presentMember,
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: MEMBER,
    operationId: 'removeMember',
    summary: 'Remove a member from a Grid',
    description: 'Its next call is refused, and its open streams end. The last Owner cannot leave.',
    status: 204,
    refusals: ['last-owner', 'conflict', 'not-found'],
    run: ({ grids }, { principal, params }) => shown(grids, grids.removeMember(principal.id, params.gridSecondaryId, params.userId)),
    present: () => new NOTHING(),
  }),
];

function presentMember({ userId, role, addedAt, addedBy }: MemberRecord): Shown<typeof Member> {
  return { userId, role, addedAt: iso(addedAt), addedBy };
}
