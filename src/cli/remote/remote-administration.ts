import type { Administration, ApiKey, AuditPage, Grid, IssuedApiKey, Member } from '../administration.js';
import { path, type ServiceApi } from './service-api.js';

/** Administration through the API of a service, as the user or application whose token it carries. */
export function remoteAdministration(api: ServiceApi): Administration {
  const setMember = (gridId: string, userId: string, role: Member['role']): Promise<Member> => api.send('PUT', path`/admin/grids/${gridId}/members/${userId}`, { role });
  return {
    grids: async () => (await api.get<{ grids: Grid[] }>('/admin/grids')).grids,
    grid: (gridId) => api.get(path`/admin/grids/${gridId}`),
    async createGrid(name, owner) {
      const grid = await api.send<Grid>('POST', '/admin/grids', { name });
      if (owner !== undefined) await setMember(grid.gridSecondaryId, owner, 'Owner');
      return grid;
    },
    changeGrid: (gridId, changes) => api.send('PATCH', path`/admin/grids/${gridId}`, changes),
    members: async (gridId) => (await api.get<{ members: Member[] }>(path`/admin/grids/${gridId}/members`)).members,
    setMember,
    removeMember: (gridId, userId) => api.send('DELETE', path`/admin/grids/${gridId}/members/${userId}`),
    apiKeys: async (gridId) => (await api.get<{ apiKeys: ApiKey[] }>(path`/admin/grids/${gridId}/api-keys`)).apiKeys,
    issueApiKey: (gridId, name) => api.send<IssuedApiKey>('POST', path`/admin/grids/${gridId}/api-keys`, { name }),
    regenerateApiKey: (gridId, keyId) => api.send('POST', path`/admin/grids/${gridId}/api-keys/${keyId}/regenerate`),
    revokeApiKey: (gridId, keyId) => api.send('DELETE', path`/admin/grids/${gridId}/api-keys/${keyId}`),
    audit: (gridId, page, pageSize) => api.get<AuditPage>(path`/admin/grids/${gridId}/audit?page=${page}&pageSize=${pageSize}`),
  };
}
