import type { IssuedApiKey as Issued } from '../../commands/grid-commands.js';
import { shown } from '../../commands/shown.js';
import type { ApiKeyRecord, LastRefused, LastSent } from '../../queries/administration/questions.js';
import { NewApiKeyModel } from '../requests/administration.js';
import { NOTHING } from '../requests/parse.js';
import { route, type Role, type Route } from '../route.js';
import { ApiKeys, IssuedApiKey, type ApiKey } from '../schemas/administration.js';
import type { Shown } from '../schemas/terms.js';
import { iso } from './iso.js';

const ROLES: readonly Role[] = ['Member', 'Owner'];
const shared = { tag: 'Administration', grid: 'path', roles: ROLES, apiKeys: false } as const;
const KEYS = '/admin/grids/{gridSecondaryId}/api-keys';
const KEY = `${KEYS}/{keyId}` as const;

export const apiKeyRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: KEYS,
    operationId: 'listApiKeys',
    summary: 'List the API keys of a Grid, and what they were used for last',
    run: ({ administration }, { params }) => administration.apiKeys(params.gridSecondaryId),
    answer: ApiKeys,
    present: (keys) => ({ apiKeys: keys.map(presentKey) }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: KEYS,
    operationId: 'issueApiKey',
    summary: 'Issue an API key',
    description: 'The answer shows the key, and nothing does so again.',
    status: 201,
    body: NewApiKeyModel,
    refusals: ['conflict', 'not-found'],
    run: ({ grids }, { principal, params, body }) => shown(grids, grids.issueApiKey(principal.id, params.gridSecondaryId, body.name)),
    answer: IssuedApiKey,
    present: presentIssued,
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${KEY}/regenerate`,
    operationId: 'regenerateApiKey',
    summary: 'Give an API key a new secret',
    description: 'The former key is refused from the answer on, and what it has open is closed.',
    refusals: ['conflict', 'not-found'],
    run: ({ grids }, { principal, params }) => shown(grids, grids.regenerateApiKey(principal.id, params.gridSecondaryId, params.keyId)),
    answer: IssuedApiKey,
    present: presentIssued,
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: KEY,
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'The key is refused from the answer on, and what it has open is closed.',
    status: 204,
    refusals: ['conflict', 'not-found'],
    run: ({ grids }, { principal, params }) => shown(grids, grids.revokeApiKey(principal.id, params.gridSecondaryId, params.keyId)),
    present: () => new NOTHING(),
  }),
];

function presentKey({ keyId, name, prefix, createdAt, createdBy, lastUsedAt, lastSent, lastRefused }: ApiKeyRecord): Shown<typeof ApiKey> {
  return {
    keyId, name, prefix,
    role: 'Member',
    createdAt: iso(createdAt), createdBy,
    lastUsedAt: lastUsedAt === null ? null : iso(lastUsedAt),
    lastSent: lastSent.map(presentSent),
    ...(lastRefused && { lastRefused: presentRefused(lastRefused) }),
  };
}

function presentSent({ signal, at, accepted, rejected, message }: LastSent) {
  return { signal, at: iso(at), accepted, rejected, message };
}

function presentRefused({ signal, at, reason }: LastRefused) {
  return { ...(signal !== undefined && { signal }), at: iso(at), reason };
}

function presentIssued({ keyId, name, apiKey, createdAt }: Issued): Shown<typeof IssuedApiKey> {
  return { keyId, name, apiKey, createdAt: iso(createdAt) };
}
