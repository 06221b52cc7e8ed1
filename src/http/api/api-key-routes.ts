import type { ApiKeyReceipt } from '../../commands/grids/grid-commands.js';
import { waitUntilVisible } from '../../commands/read-your-writes.js';
import type {
  ApiKeyRecord,
  LastRefusal,
  LastIngestion,
} from '../../queries/administration/administration-query-types.js';
import { NewApiKeyModel } from '../requests/administration-requests.js';
import { EMPTY_REQUEST } from '../requests/request-parser.js';
import { defineRoute, type Role, type Route } from '../route.js';
import { ApiKeys, IssuedApiKey, type ApiKey } from '../schemas/administration-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { formatTimestamp } from './value-conversions.js';

const ROLES: readonly Role[] = ['Member', 'Owner'];
const API_KEY_ROUTE = { tag: 'Administration', grid: 'path', roles: ROLES, apiKeys: false } as const;
const KEYS_PATH = '/admin/grids/{gridSecondaryId}/api-keys';
const KEY_PATH = `${KEYS_PATH}/{keyId}` as const;

export const apiKeyRoutes: readonly Route[] = [
  defineRoute({
    ...API_KEY_ROUTE,
    method: 'GET',
    path: KEYS_PATH,
    operationId: 'listApiKeys',
    summary: 'List the API keys of a Grid and their last use',
    run: ({ administration }, { params }) => administration.apiKeys(params.gridSecondaryId),
    responseSchema: ApiKeys,
    present: (keys) => ({ apiKeys: keys.map(presentKey) }),
  }),
  defineRoute({
    ...API_KEY_ROUTE,
    method: 'POST',
    path: KEYS_PATH,
    operationId: 'issueApiKey',
    summary: 'Issue an API key',
    description:
      'The response contains the key. It cannot be read again later. A Grid can have at most KEYS_PER_GRID keys.',
    status: 201,
    body: NewApiKeyModel,
    refusals: ['conflict', 'not-found'],
    run: ({ grids }, { principal, params, body }) =>
      waitUntilVisible(grids, grids.issueApiKey(principal.id, params.gridSecondaryId, body.name, body.kind)),
    responseSchema: IssuedApiKey,
    present: presentIssuedKey,
  }),
  defineRoute({
    ...API_KEY_ROUTE,
    method: 'POST',
    path: `${KEY_PATH}/regenerate`,
    operationId: 'regenerateApiKey',
    summary: 'Regenerate the secret of an API key',
    description: 'The previous key is rejected as soon as the response is sent, and its open streams are closed.',
    refusals: ['conflict', 'not-found'],
    run: ({ grids }, { principal, params }) =>
      waitUntilVisible(grids, grids.regenerateApiKey(principal.id, params.gridSecondaryId, params.keyId)),
    responseSchema: IssuedApiKey,
    present: presentIssuedKey,
  }),
  defineRoute({
    ...API_KEY_ROUTE,
    method: 'DELETE',
    path: KEY_PATH,
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'The key is rejected as soon as the response is sent, and its open streams are closed.',
    status: 204,
    refusals: ['conflict', 'not-found'],
    run: ({ grids }, { principal, params }) =>
      waitUntilVisible(grids, grids.revokeApiKey(principal.id, params.gridSecondaryId, params.keyId)),
    present: () => new EMPTY_REQUEST(),
  }),
];

function presentKey({
  keyId,
  name,
  kind,
  prefix,
  createdAt,
  createdBy,
  lastUsedAt,
  lastSent,
  lastRefused,
}: ApiKeyRecord): ResponseBody<typeof ApiKey> {
  return {
    keyId,
    name,
    kind,
    prefix,
    role: 'Member',
    createdAt: formatTimestamp(createdAt),
    createdBy,
    lastUsedAt: lastUsedAt === null ? null : formatTimestamp(lastUsedAt),
    lastSent: lastSent.map(presentLastSent),
    ...(lastRefused && { lastRefused: presentLastRefused(lastRefused) }),
  };
}

function presentLastSent({ signal, at, accepted, rejected, message }: LastIngestion) {
  return { signal, at: formatTimestamp(at), accepted, rejected, message };
}

function presentLastRefused({ signal, at, reason }: LastRefusal) {
  return { ...(signal !== undefined && { signal }), at: formatTimestamp(at), reason };
}

function presentIssuedKey({ keyId, name, kind, apiKey, createdAt }: ApiKeyReceipt): ResponseBody<typeof IssuedApiKey> {
  return { keyId, name, kind, apiKey, createdAt: formatTimestamp(createdAt) };
}
