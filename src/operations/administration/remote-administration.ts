import type { Administration, ApiKey, AuditPage, Grid, IssuedApiKey, Member } from './administration-port.js';
import { buildApiPath, type ServiceApiClient } from './service-api-client.js';

/** Administration through the API of a service, as the user or application of its access token. */
export function createRemoteAdministration(api: ServiceApiClient): Administration {
  const setMember = (gridId: string, userId: string, role: Member['role']): Promise<Member> =>
    api.send('PUT', buildApiPath`/admin/grids/${gridId}/members/${userId}`, { role });
  return {
    listGrids: async () => (await api.get<{ grids: Grid[] }>('/admin/grids')).grids,
    readGrid: (gridId) => api.get(buildApiPath`/admin/grids/${gridId}`),
    async createGrid(name, owner) {
      const grid = await api.send<Grid>('POST', '/admin/grids', { name });
      if (owner !== undefined) await setMember(grid.gridSecondaryId, owner, 'Owner');
      return grid;
    },
    changeGrid: (gridId, changes) => api.send('PATCH', buildApiPath`/admin/grids/${gridId}`, changes),
    listMembers: async (gridId) =>
      (await api.get<{ members: Member[] }>(buildApiPath`/admin/grids/${gridId}/members`)).members,
    setMember,
    removeMember: (gridId, userId) => api.send('DELETE', buildApiPath`/admin/grids/${gridId}/members/${userId}`),
    listApiKeys: async (gridId) =>
      (await api.get<{ apiKeys: ApiKey[] }>(buildApiPath`/admin/grids/${gridId}/api-keys`)).apiKeys,
    issueApiKey: (gridId, name, kind) =>
      api.send<IssuedApiKey>('POST', buildApiPath`/admin/grids/${gridId}/api-keys`, { name, kind }),
    regenerateApiKey: (gridId, keyId) =>
      api.send('POST', buildApiPath`/admin/grids/${gridId}/api-keys/${keyId}/regenerate`),
    revokeApiKey: (gridId, keyId) => api.send('DELETE', buildApiPath`/admin/grids/${gridId}/api-keys/${keyId}`),
    readAuditPage: (gridId, page, pageSize) =>
      api.get<AuditPage>(buildApiPath`/admin/grids/${gridId}/audit?page=${page}&pageSize=${pageSize}`),
  };
}
