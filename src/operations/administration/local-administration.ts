import { userInfo } from 'node:os';
import { HindsightError } from '../../errors.js';
import type {
  ApiKeyRecord,
  GridRecord,
  MemberRecord,
} from '../../queries/administration/administration-query-types.js';
import type { Administration, ApiKey, Grid, IssuedApiKey, Member } from './administration-port.js';
import type { AdministrativeOperations } from '../operations-port.js';

/** Actor name of the local operator in the audit. */
export function localOperatorId(): string {
  return `operator:${userInfo().username}`;
}

/** Administration by the local operator, without a role check. */
export function createLocalAdministration(operations: AdministrativeOperations, actor: string): Administration {
  const requireGrid = async (gridId: string): Promise<GridRecord> => {
    const grid = await operations.gridRecord(gridId);
    if (grid === undefined) throw new HindsightError('not-found', 'There is no such Grid.');
    return grid;
  };
  return {
    listGrids: async () => (await operations.allGrids()).map(toGrid),
    readGrid: async (gridId) => toGrid(await requireGrid(gridId)),
    createGrid: async (name, owner) =>
      toGrid(await operations.createGrid(actor, name, owner === undefined ? undefined : { id: owner, kind: 'user' })),
    changeGrid: async (gridId, changes) => toGrid(await operations.changeSettings(actor, gridId, changes)),
    listMembers: async (gridId) =>
      requireGrid(gridId).then(async () => (await operations.members(gridId)).map(toMember)),
    setMember: async (gridId, userId, role) => toMember(await operations.setMember(actor, gridId, userId, role)),
    removeMember: async (gridId, userId) => void (await operations.removeMember(actor, gridId, userId)),
    listApiKeys: async (gridId) =>
      requireGrid(gridId).then(async () => (await operations.apiKeys(gridId)).map(toApiKey)),
    issueApiKey: async (gridId, name, kind) => toIssuedApiKey(await operations.issueApiKey(actor, gridId, name, kind)),
    regenerateApiKey: async (gridId, keyId) => toIssuedApiKey(await operations.regenerateApiKey(actor, gridId, keyId)),
    revokeApiKey: async (gridId, keyId) => void (await operations.revokeApiKey(actor, gridId, keyId)),
    async readAuditPage(gridId, page, pageSize) {
      await requireGrid(gridId);
      const { entries, totalCount } = await operations.audit(gridId, page, pageSize);
      return { entries: entries.map((entry) => ({ ...entry, at: toIsoTime(entry.at) })), totalCount, page, pageSize };
    },
  };
}

function toGrid({
  gridId,
  name,
  apdexThresholdMs,
  errorRateThreshold,
  apdexHealthThreshold,
  retentionDays,
  subscriptionActive,
  createdAt,
}: GridRecord): Grid {
  return {
    gridSecondaryId: gridId,
    name,
    apdexThresholdMs,
    errorRateThreshold,
    apdexHealthThreshold,
    retentionDays,
    subscriptionActive,
    createdAt: toIsoTime(createdAt),
  };
}

function toMember({ userId, role, addedAt, addedBy }: MemberRecord): Member {
  return { userId, role, addedAt: toIsoTime(addedAt), addedBy };
}

function toIssuedApiKey({
  keyId,
  name,
  kind,
  apiKey,
  createdAt,
}: Awaited<ReturnType<AdministrativeOperations['issueApiKey']>>): IssuedApiKey {
  return { keyId, name, kind, apiKey, createdAt: toIsoTime(createdAt) };
}

/** API keys have only one role (contract §3). */
function toApiKey({
  keyId,
  name,
  kind,
  prefix,
  createdAt,
  createdBy,
  lastUsedAt,
  lastSent,
  lastRefused,
}: ApiKeyRecord): ApiKey {
  return {
    keyId,
    name,
    kind,
    prefix,
    role: 'Member',
    createdAt: toIsoTime(createdAt),
    createdBy,
    lastUsedAt: lastUsedAt === null ? null : toIsoTime(lastUsedAt),
    lastSent: lastSent.map((sent) => ({ ...sent, at: toIsoTime(sent.at) })),
    ...(lastRefused !== undefined && { lastRefused: { ...lastRefused, at: toIsoTime(lastRefused.at) } }),
  };
}

function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}
