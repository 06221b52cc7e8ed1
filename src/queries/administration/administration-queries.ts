import { compareText } from '../../diagnostics/text-order.js';
import {
  accessCollections,
  type AccessCollections,
  type GridDocument,
  type MemberDocument,
} from '../../read-models/documents/access-documents.js';
import { and, eq, range } from '../../read-models/document-filter.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import { findApiKeys } from './api-key-queries.js';
import type {
  AdministrationQueries,
  AuditEntry,
  AuditPage,
  GridRecord,
  MemberRecord,
} from './administration-query-types.js';
import { AUDIT_PROJECTION, auditCollections, type AuditDocument } from '../../read-models/documents/audit-documents.js';

/** Until the projections have made their first commit, every query returns an empty result. */
export function createAdministrationQueries(store: ReadModelReader): AdministrationQueries {
  // Version 0 never exists, so its collections are empty.
  const collections = async (): Promise<AccessCollections> =>
    accessCollections((await readActiveVersion(store, 'access')) ?? 0);
  return {
    gridRecord: async (gridId) => store.get((await collections()).grids, gridId),
    gridRecordsForMember: async (memberId, kind) =>
      findGridRecordsForMember(store, await collections(), memberId, kind),
    allGrids: async () =>
      (await store.find((await collections()).grids, {})).map(({ document }) => document).sort(compareByName),
    gridsCreatedBy: async (userId) =>
      (await store.find((await collections()).grids, { filter: eq('createdBy', userId) })).map(
        ({ document: { gridId } }) => gridId,
      ),
    members: async (gridId) =>
      (await store.find((await collections()).members, { filter: eq('gridId', gridId) }))
        .map(({ document }) => toMemberRecord(document))
        .sort(compareByAddition),
    apiKeys: async (gridId) => findApiKeys(store, (await collections()).apiKeys, gridId),
    audit: (gridId, page, pageSize) => readAuditPage(store, gridId, page, pageSize),
  };
}

async function findGridRecordsForMember(
  store: ReadModelReader,
  { grids, members }: AccessCollections,
  memberId: string,
  kind: 'user' | 'application',
): Promise<GridRecord[]> {
  const memberships = (await store.find(members, { filter: eq('userId', memberId) })).map(({ document }) => document);
  // A membership without a kind counts as both kinds, as it does when access is checked.
  const own = memberships.filter((membership) => membership.kind === undefined || membership.kind === kind);
  const found = await Promise.all(own.map(({ gridId }) => store.get(grids, gridId)));
  return found.filter((grid) => grid !== undefined).sort(compareByName);
}

function toMemberRecord({ userId, role, addedAt, addedBy }: MemberDocument): MemberRecord {
  return { userId, role, addedAt, addedBy };
}

function compareByName(a: GridDocument, b: GridDocument): number {
  return compareText(a.name, b.name) || compareText(a.gridId, b.gridId);
}

function compareByAddition(a: MemberRecord, b: MemberRecord): number {
  return a.addedAt - b.addedAt || compareText(a.userId, b.userId);
}

/** Newest first, in event log order rather than by timestamp. Reads only the requested page, however far back it is. */
async function readAuditPage(
  store: ReadModelReader,
  gridId: string,
  page: number,
  pageSize: number,
): Promise<AuditPage> {
  const { entries, counts } = auditCollections((await readActiveVersion(store, AUDIT_PROJECTION)) ?? 0);
  const totalCount = (await store.get(counts, gridId))?.count ?? 0;
  const newest = totalCount - (page - 1) * pageSize;
  if (newest <= 0) return { entries: [], totalCount };
  const found = await store.find(entries, {
    filter: and(eq('gridId', gridId), range('number', newest - pageSize + 1, newest + 1)),
    sort: [{ field: 'number', descending: true }],
  });
  return { entries: found.map(({ document }) => toAuditEntry(document)), totalCount };
}

function toAuditEntry({ at, actor, action, target, details }: AuditDocument): AuditEntry {
  return { at, actor, action, target, details };
}
