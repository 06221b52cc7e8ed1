import type { Collection } from '../read-model-store.js';

/** JSON values by name. */
export type AuditValues = Readonly<Record<string, unknown>>;

/** One entry of a Grid's audit trail. */
export interface AuditDocument {
  readonly gridId: string;
  /** In log order: 1 for the Grid's first entry, then consecutive. So a page is found without counting. */
  readonly number: number;
  /** ms since 1970. */
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly details: AuditValues;
}

/** Values of a subject after its last event: the next change is described relative to them. */
export interface AuditSubjectDocument {
  readonly values: AuditValues;
}

/** Number of entries of a Grid. */
export interface AuditCountDocument {
  readonly count: number;
}

export const AUDIT_PROJECTION = 'audit';
export const AUDIT_VERSION = 2;

/** Entries by Grid and number, counts by Grid, subjects by `<grid>/<subject>`. */
export interface AuditCollections {
  readonly entries: Collection<AuditDocument>;
  readonly counts: Collection<AuditCountDocument>;
  readonly subjects: Collection<AuditSubjectDocument>;
}

export function auditCollections(version: number): AuditCollections {
  return {
    entries: { name: `audit.v${version}`, indexes: [['gridId', 'number']] },
    counts: { name: `audit-counts.v${version}`, indexes: [] },
    subjects: { name: `audit-subjects.v${version}`, indexes: [] },
  };
}
