import type { Severity } from '../diagnostic-results.js';

/** Statuses of incidents; `merged`: part of another one. */
export const INCIDENT_STATUSES = ['open', 'acknowledged', 'recovering', 'resolved'] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number] | 'merged';

/** The likely cause, as the diagnosis stated it. */
export interface IncidentCauseRecord {
  readonly cause: string;
  readonly kind: string;
  readonly serviceName: string;
  readonly confidence: number;
  readonly severity: Severity;
  readonly affectedServices: readonly string[];
  readonly evidence: readonly string[];
  readonly firstDetected: number;
  readonly impactedTraceCount: number;
  readonly sampleTraceIds: readonly string[];
}

export interface IncidentAlertRecord {
  readonly alertId: string;
  readonly ruleName: string;
  /** "": no service in particular. */
  readonly serviceName: string;
  /** Values of the other fields that the query of its rule groups by; absent: none. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly condition: string;
  readonly severity: Severity;
  readonly value: number;
  readonly firedAt: number;
  readonly acknowledgedBy?: string;
  readonly resolvedAt?: number;
}

/** One change of an incident; `at` in ms since 1970. */
export type IncidentEntry = { readonly at: number } & (
  | {
      readonly kind: 'opened';
      readonly title: string;
      readonly severity: Severity;
      readonly startedAt: number;
      readonly cause: IncidentCauseRecord | null;
      /** The incident that it was split from; empty: none. */
      readonly splitFrom: string;
      readonly by: string;
    }
  | { readonly kind: 'alert-added'; readonly alert: IncidentAlertRecord; readonly movedFrom: string }
  /** It belongs to another incident now. */
  | { readonly kind: 'alert-moved'; readonly alertId: string; readonly movedTo: string }
  | {
      readonly kind: 'alert-changed';
      readonly alertId: string;
      readonly change: 'severity' | 'acknowledged' | 'resolved';
      readonly severity: Severity;
      readonly value: number;
      readonly by: string;
    }
  | { readonly kind: 'cause-changed'; readonly title: string; readonly cause: IncidentCauseRecord }
  | { readonly kind: 'recovering' }
  | { readonly kind: 'reopened'; readonly after: 'recovering' | 'resolved' }
  /** `by` and `note` are empty if the service has resolved it. */
  | { readonly kind: 'resolved'; readonly by: string; readonly note: string }
  | { readonly kind: 'acknowledged'; readonly by: string }
  | { readonly kind: 'commander-assigned'; readonly by: string; readonly commander: string }
  | { readonly kind: 'noted'; readonly by: string; readonly noteId: string; readonly text: string }
  /** Another incident has become part of this one. */
  | { readonly kind: 'merged'; readonly by: string; readonly mergedId: string }
  | { readonly kind: 'merged-into'; readonly by: string; readonly intoId: string }
);

/** An incident after some of its entries. */
export interface IncidentRecord {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly status: IncidentStatus;
  readonly openedAt: number;
  /** When the fault began. */
  readonly startedAt: number;
  /** When it was resolved; absent while it lasts. */
  readonly endedAt?: number;
  readonly cause?: IncidentCauseRecord;
  /** Newest first; those beyond MAX_ALERTS_LISTED are only counted. */
  readonly alerts: readonly IncidentAlertRecord[];
  readonly alertCount: number;
  readonly firingCount: number;
  /** The root-cause service first. */
  readonly affectedServices: readonly string[];
  readonly acknowledgedBy?: string;
  readonly acknowledgedAt?: number;
  readonly commander?: string;
  readonly resolvedBy?: string;
  /** What was written when it was resolved by hand. */
  readonly resolution?: string;
  readonly reopenedCount: number;
  readonly noteCount: number;
  /** The incident that it became part of. */
  readonly mergedInto?: string;
}

export const MAX_ALERTS_LISTED = 100;
export const MAX_SERVICES_LISTED = 100;
