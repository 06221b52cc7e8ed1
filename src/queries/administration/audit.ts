import { auditCollections, AUDIT_PROJECTION, type AuditDocument } from '../../read-models/audit.js';
import { and, eq, range } from '../../read-models/filter.js';
import { activeVersion } from '../../read-models/projections.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { AuditEntry, AuditPage } from './questions.js';

/** In the order of the log, the newest first: what a clock said does not count. Reads no more than the page, however far back it is. */
export async function auditPage(store: ReadModelReader, gridId: string, page: number, pageSize: number): Promise<AuditPage> {
  const { entries, counts } = auditCollections((await activeVersion(store, AUDIT_PROJECTION)) ?? 0);
  const totalCount = (await store.get(counts, gridId))?.count ?? 0;
  const newest = totalCount - (page - 1) * pageSize;
  if (newest <= 0) return { entries: [], totalCount };
  const found = await store.find(entries, { filter: and(eq('gridId', gridId), range('number', newest - pageSize + 1, newest + 1)), sort: [{ field: 'number', descending: true }] });
  return { entries: found.map(({ document }) => entryOf(document)), totalCount };
}

function entryOf({ at, actor, action, target, details }: AuditDocument): AuditEntry {
  return { at, actor, action, target, details };
}
