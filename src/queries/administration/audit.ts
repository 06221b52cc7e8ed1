import { auditCollections, AUDIT_PROJECTION, type AuditDocument } from '../../read-models/audit.js';
import { eq } from '../../read-models/filter.js';
import { activeVersion } from '../../read-models/projections.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { AuditEntry, AuditPage } from './questions.js';

/** In the order of the log, the newest first: what a clock said does not count. Reads no more than the page. */
export async function auditPage(store: ReadModelReader, gridId: string, page: number, pageSize: number): Promise<AuditPage> {
  const { entries } = auditCollections((await activeVersion(store, AUDIT_PROJECTION)) ?? 0);
  const filter = eq('gridId', gridId);
  const found = await store.find(entries, { filter, sort: [{ field: 'revision', descending: true }], skip: (page - 1) * pageSize, limit: pageSize });
  return { entries: found.map(({ document }) => entryOf(document)), totalCount: await store.count(entries, filter) };
}

function entryOf({ at, actor, action, target, details }: AuditDocument): AuditEntry {
  return { at, actor, action, target, details };
}
