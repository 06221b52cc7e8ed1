import { AUDIT_PROJECTION, AUDIT_VERSION, auditCollections } from '../read-models/audit.js';
import type { ReadModelReader } from '../read-models/store.js';
import { GRID_PREFIX } from '../streams/stream-names.js';
import { AuditFold } from './audit/audit-fold.js';
import { checkpointName, type Projection } from './projection.js';

/** Who did what to a Grid, and when. */
export const audit: Projection = {
  name: AUDIT_PROJECTION,
  schema: AUDIT_VERSION,
  contents: (version) => {
    const { entries, counts, subjects } = auditCollections(version);
    return [entries, counts, subjects].map((collection) => ({ kind: 'documents', collection }));
  },
};

export function auditRun(version: number, store: ReadModelReader) {
  return {
    name: audit.name,
    group: audit.name,
    prefixes: [GRID_PREFIX],
    checkpoints: [checkpointName(audit.name, version)],
    fold: new AuditFold(version, store),
  };
}
