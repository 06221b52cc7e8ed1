import type { Collection } from '../read-model-store.js';

/** Plain JSON by name. */
export type AuditValues = Readonly<Record<string, unknown>>;

/** One entry of a Grid's audit. */
export interface AuditDocument {
  readonly gridId: string;
  /** In the order of the log: 1 for the Grid's first entry, one more for each. So a page is found without counting. */
  readonly number: number;
  /** ms since 1970. */
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly details: AuditValues;
}

/** How something stood after the last event that concerned it: what the next change of it is told against. */
export interface AuditSubjectDocument {
  readonly values: AuditValues;
}

/** How many entries a Grid has. */
export interface AuditCountDocument {
  readonly count: number;
}

export const AUDIT_PROJECTION = 'audit';
export const AUDIT_VERSION = 1;

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
