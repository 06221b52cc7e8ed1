import type { Collection } from './store.js';

/** Plain JSON by name. */
export type AuditValues = Readonly<Record<string, unknown>>;

/** One entry of a Grid's audit. */
export interface AuditDocument {
  readonly gridId: string;
  /** Of the event in the Grid's stream: later ones are larger. */
  readonly revision: number;
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

export const AUDIT_PROJECTION = 'audit';
export const AUDIT_VERSION = 1;

/** Entries by Grid and revision, subjects by `<grid>/<subject>`. */
export interface AuditCollections {
  readonly entries: Collection<AuditDocument>;
  readonly subjects: Collection<AuditSubjectDocument>;
}

export function auditCollections(version: number): AuditCollections {
  return {
    entries: { name: `audit.v${version}`, indexes: [['gridId', 'revision']] },
    subjects: { name: `audit-subjects.v${version}`, indexes: [] },
  };
}
