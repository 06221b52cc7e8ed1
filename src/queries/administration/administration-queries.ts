import { byText } from '../../diagnostics/by-text.js';
import { accessCollections, type AccessCollections, type GridDocument, type MemberDocument } from '../../read-models/access.js';
import { eq } from '../../read-models/filter.js';
import { activeVersion } from '../../read-models/projections.js';
import type { ReadModelReader } from '../../read-models/store.js';
import { apiKeysOf } from './api-keys.js';
import { auditPage } from './audit.js';
import type { AdministrationQueries, GridRecord, MemberRecord } from './questions.js';

/** Answers as if there was nothing before the projections' first commits. */
export function createAdministrationQueries(store: ReadModelReader): AdministrationQueries {
  // Collections of a version that was never built answer nothing.
  const collections = async (): Promise<AccessCollections> => accessCollections((await activeVersion(store, 'access')) ?? 0);
  return {
    gridRecord: async (gridId) => store.get((await collections()).grids, gridId),
    gridRecordsOf: async (memberId, kind) => gridRecordsOf(store, await collections(), memberId, kind),
    allGrids: async () => (await store.find((await collections()).grids, {})).map(({ document }) => document).sort(byName),
    members: async (gridId) => (await store.find((await collections()).members, { filter: eq('gridId', gridId) })).map(({ document }) => memberRecord(document)).sort(byAge),
    apiKeys: async (gridId) => apiKeysOf(store, (await collections()).apiKeys, gridId),
    audit: (gridId, page, pageSize) => auditPage(store, gridId, page, pageSize),
  };
}

async function gridRecordsOf(store: ReadModelReader, { grids, members }: AccessCollections, memberId: string, kind: 'user' | 'application'): Promise<GridRecord[]> {
  const memberships = (await store.find(members, { filter: eq('userId', memberId) })).map(({ document }) => document);
  // A membership that does not say whose counts for either, as it does for access.
  const own = memberships.filter((membership) => membership.kind === undefined || membership.kind === kind);
  const found = await Promise.all(own.map(({ gridId }) => store.get(grids, gridId)));
  return found.filter((grid) => grid !== undefined).sort(byName);
}

function memberRecord({ userId, role, addedAt, addedBy }: MemberDocument): MemberRecord {
  return { userId, role, addedAt, addedBy };
}

function byName(a: GridDocument, b: GridDocument): number {
  return byText(a.name, b.name) || byText(a.gridId, b.gridId);
}

function byAge(a: MemberRecord, b: MemberRecord): number {
  return a.addedAt - b.addedAt || byText(a.userId, b.userId);
}
