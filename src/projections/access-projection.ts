import {
  ACCESS_VERSION,
  accessCollections,
  memberId,
  type ApiKeyDocument,
  type GridDocument,
  type MemberDocument,
} from '../read-models/documents/access-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import { createInitialSettings, type GridEvent } from '../streams/events/grid-events.js';
import { GRID_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold, selectEvents } from './document-fold.js';
import { checkpointName, type Projection } from './projection.js';

/** Grids, API keys and members: who may do what where. */
export const accessProjection: Projection = {
  name: 'access',
  schema: ACCESS_VERSION,
  contents: (version) => {
    const { grids, apiKeys, members } = accessCollections(version);
    return [grids, apiKeys, members].map((collection) => ({ kind: 'documents', collection }));
  },
};

export function createAccessRun(version: number, store: ReadModelReader) {
  const { grids, apiKeys, members } = accessCollections(version);
  const folds = [
    { collection: grids, documentId: gridDocumentId, evolve: evolveGrid },
    { collection: apiKeys, documentId: apiKeyDocumentId, evolve: evolveApiKey },
    { collection: members, documentId: memberDocumentId, evolve: evolveMember },
  ] as DocumentFold<object, GridEvent>[];
  return {
    name: accessProjection.name,
    group: accessProjection.name,
    prefixes: [GRID_PREFIX],
    checkpoints: [checkpointName(accessProjection.name, version)],
    fold: createDocumentFold(folds, store, ACCESS_EVENTS),
  };
}

const ACCESS_EVENTS = selectEvents<GridEvent>(
  'GridCreated.v1',
  'GridSettingsChanged.v1',
  'MemberSet.v1',
  'MemberRemoved.v1',
  'ApiKeyIssued.v2',
  'ApiKeyRegenerated.v1',
  'ApiKeyRevoked.v1',
);

function gridDocumentId({ type, data }: GridEvent): string | undefined {
  if (type === 'MemberSet.v1') return data.role === 'Owner' ? data.gridId : undefined;
  return type === 'GridCreated.v1' || type === 'GridSettingsChanged.v1' ? data.gridId : undefined;
}

export function evolveGrid(grid: GridDocument | undefined, event: GridEvent): GridDocument | undefined {
  switch (event.type) {
    case 'GridCreated.v1':
      return {
        ...createInitialSettings(event.data.name),
        gridId: event.data.gridId,
        createdAt: event.data.at,
        createdBy: event.data.actor,
      };
    case 'GridSettingsChanged.v1':
      return grid && { ...grid, ...event.data.changes };
    case 'MemberSet.v1':
      return grid?.ownerId === undefined && event.data.role === 'Owner'
        ? grid && { ...grid, ownerId: event.data.userId }
        : grid;
    default:
      return grid;
  }
}

function apiKeyDocumentId({ type, data }: GridEvent): string | undefined {
  return type === 'ApiKeyIssued.v2' || type === 'ApiKeyRegenerated.v1' || type === 'ApiKeyRevoked.v1'
    ? data.keyId
    : undefined;
}

export function evolveApiKey(key: ApiKeyDocument | undefined, event: GridEvent): ApiKeyDocument | undefined {
  switch (event.type) {
    case 'ApiKeyIssued.v2': {
      const { keyId, gridId, name, kind, secretHash, at, actor } = event.data;
      return { keyId, gridId, name, kind, secretHash, createdAt: at, createdBy: actor, issuedBy: actor };
    }
    case 'ApiKeyRegenerated.v1':
      return key && { ...key, secretHash: event.data.secretHash, issuedBy: event.data.actor };
    case 'ApiKeyRevoked.v1':
      return undefined;
    default:
      return key;
  }
}

function memberDocumentId({ type, data }: GridEvent): string | undefined {
  return type === 'MemberSet.v1' || type === 'MemberRemoved.v1' ? memberId(data.gridId, data.userId) : undefined;
}

/** A change of role preserves when, and by whom, the member was added. */
export function evolveMember(member: MemberDocument | undefined, event: GridEvent): MemberDocument | undefined {
  switch (event.type) {
    case 'MemberSet.v1': {
      const { gridId, userId, role, kind, at, actor } = event.data;
      return {
        gridId,
        userId,
        role,
        ...(kind === undefined ? {} : { kind }),
        addedAt: member?.addedAt ?? at,
        addedBy: member?.addedBy ?? actor,
      };
    }
    case 'MemberRemoved.v1':
      return undefined;
    default:
      return member;
  }
}
