import { userInfo } from 'node:os';
import { HindsightError } from '../errors.js';
import type { ApiKeyRecord, GridRecord, MemberRecord } from '../queries/administration/questions.js';
import type { Administration, ApiKey, Grid, IssuedApiKey, Member } from './administration.js';
import type { AdministrativeOperations } from './operations.js';

/** Under this name the audit knows who works on the machine itself. */
export function operatorOfThisMachine(): string {
  return `operator:${userInfo().username}`;
}

/** Administration by whoever may operate the service: no role is asked for. */
export function localAdministration(operations: AdministrativeOperations, actor: string): Administration {
  const existing = async (gridId: string): Promise<GridRecord> => {
    const found = await operations.gridRecord(gridId);
    if (found === undefined) throw new HindsightError('not-found', 'There is no such Grid.');
    return found;
  };
  return {
    grids: async () => (await operations.allGrids()).map(presentGrid),
    grid: async (gridId) => presentGrid(await existing(gridId)),
    createGrid: async (name, owner) => presentGrid(await operations.createGrid(actor, name, owner === undefined ? undefined : { id: owner, kind: 'user' })),
    changeGrid: async (gridId, changes) => presentGrid(await operations.changeSettings(actor, gridId, changes)),
    members: async (gridId) => existing(gridId).then(async () => (await operations.members(gridId)).map(presentMember)),
    setMember: async (gridId, userId, role) => presentMember(await operations.setMember(actor, gridId, userId, role)),
    removeMember: async (gridId, userId) => void (await operations.removeMember(actor, gridId, userId)),
    apiKeys: async (gridId) => existing(gridId).then(async () => (await operations.apiKeys(gridId)).map(presentKey)),
    issueApiKey: async (gridId, name) => presentIssued(await operations.issueApiKey(actor, gridId, name)),
    regenerateApiKey: async (gridId, keyId) => presentIssued(await operations.regenerateApiKey(actor, gridId, keyId)),
    revokeApiKey: async (gridId, keyId) => void (await operations.revokeApiKey(actor, gridId, keyId)),
    async audit(gridId, page, pageSize) {
      await existing(gridId);
      const { entries, totalCount } = await operations.audit(gridId, page, pageSize);
      return { entries: entries.map((entry) => ({ ...entry, at: iso(entry.at) })), totalCount, page, pageSize };
    },
  };
}

function presentGrid({ gridId, name, apdexThresholdMs, errorRateThreshold, apdexHealthThreshold, retentionDays, subscriptionActive, createdAt }: GridRecord): Grid {
  return { gridSecondaryId: gridId, name, apdexThresholdMs, errorRateThreshold, apdexHealthThreshold, retentionDays, subscriptionActive, createdAt: iso(createdAt) };
}

function presentMember({ userId, role, addedAt, addedBy }: MemberRecord): Member {
  return { userId, role, addedAt: iso(addedAt), addedBy };
}

function presentIssued({ keyId, name, apiKey, createdAt }: Awaited<ReturnType<AdministrativeOperations['issueApiKey']>>): IssuedApiKey {
  return { keyId, name, apiKey, createdAt: iso(createdAt) };
}

/** Keys have one role only (contract §3). */
function presentKey({ keyId, name, prefix, createdAt, createdBy, lastUsedAt, lastSent, lastRefused }: ApiKeyRecord): ApiKey {
  return {
    keyId, name, prefix, role: 'Member', createdAt: iso(createdAt), createdBy,
    lastUsedAt: lastUsedAt === null ? null : iso(lastUsedAt),
    lastSent: lastSent.map((sent) => ({ ...sent, at: iso(sent.at) })),
    ...(lastRefused !== undefined && { lastRefused: { ...lastRefused, at: iso(lastRefused.at) } }),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
