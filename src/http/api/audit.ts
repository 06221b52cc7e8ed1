import { AuditPageModel, pageOf } from '../requests/administration.js';
import { route, type Route } from '../route.js';
import { Audit } from '../schemas/administration.js';
import { iso } from './iso.js';

export const auditRoutes: readonly Route[] = [
  route({
    tag: 'Administration',
    grid: 'path',
    roles: ['Owner'],
    apiKeys: false,
    method: 'GET',
    path: '/admin/grids/{gridSecondaryId}/audit',
    operationId: 'readAudit',
    summary: 'Read who did what to a Grid, and when',
    query: AuditPageModel,
    async run({ administration }, { params, query }) {
      const { page, pageSize } = pageOf(query);
      return { ...(await administration.audit(params.gridSecondaryId, page, pageSize)), page, pageSize };
    },
    answer: Audit,
    present: ({ entries, totalCount, page, pageSize }) => ({
      entries: entries.map(({ at, actor, action, target, details }) => ({ at: iso(at), actor, action, target, details })),
      totalCount, page, pageSize,
    }),
  }),
];
