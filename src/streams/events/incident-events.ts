import type { Authored } from './grid-events.js';

/** An alert as an incident shows it. Times in ms since 1970. */
export interface IncidentAlert {
  readonly alertId: string;
  readonly ruleId: string;
  readonly ruleName: string;
  /** "": no service in particular. */
  readonly serviceName: string;
  /** Values of the other fields that the query of its rule groups by; absent: none. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly condition: string;
  readonly severity: string;
  readonly value: number;
  readonly firedAt: number;
}

/** The likely cause of an incident, as the diagnosis stated it at the time of the event. */
export interface IncidentCause {
  readonly cause: string;
  readonly kind: string;
  /** The root-cause service. */
  readonly serviceName: string;
  readonly confidence: number;
  readonly severity: string;
  readonly affectedServices: readonly string[];
  readonly evidence: readonly string[];
  readonly firstDetected: number;
  readonly impactedTraceCount: number;
  readonly sampleTraceIds: readonly string[];
}

/** `at` is the time of the observation, ms since 1970. */
interface OfIncident {
  readonly gridId: string;
  readonly incidentId: string;
  readonly at: number;
}

/** By a person; by the service itself as SERVICE_ACTOR. */
type ByActor = OfIncident & Authored;

/** Version of alerts of incidents without labels; upcast when read. */
export const INCIDENT_ALERT_ADDED_V1 = 'IncidentAlertAdded.v1';

/** Actor of merges that the service has decided. */
export const SERVICE_ACTOR = 'hindsight';

/** Events in the stream `incidents-<gridId>`: the life of each incident. */
export type IncidentEvent =
  | {
      readonly type: 'IncidentOpened.v1';
      readonly data: OfIncident & {
        readonly title: string;
        readonly severity: string;
        /** When the fault began: of the cause, or of the alert. */
        readonly startedAt: number;
        /** Null while no cause is known. */
        readonly cause: IncidentCause | null;
      };
    }
  | {
      readonly type: 'IncidentAlertAdded.v2';
      readonly data: OfIncident & {
        readonly alert: IncidentAlert;
        /** Revision of the alerts stream up to which it is included: the checkpoint of the policy. */
        readonly through: number;
        /** The incident that it belonged to before; empty if it has just fired. */
        readonly movedFrom: string;
        /** Who has acknowledged it before it moved; empty: nobody. */
        readonly acknowledgedBy: string;
      };
    }
  | {
      readonly type: 'IncidentAlertChanged.v1';
      readonly data: OfIncident & {
        readonly alertId: string;
        readonly through: number;
        readonly change: 'severity' | 'acknowledged' | 'resolved';
        /** Severity and value after the change; who acknowledged. Empty and 0 for what has not changed. */
        readonly severity: string;
        readonly value: number;
        readonly by: string;
      };
    }
  | {
      readonly type: 'IncidentCauseChanged.v1';
      readonly data: OfIncident & { readonly title: string; readonly cause: IncidentCause };
    }
  /** Its cause is over, or all of its alerts are. */
  | { readonly type: 'IncidentRecovering.v1'; readonly data: OfIncident }
  | { readonly type: 'IncidentResolved.v1'; readonly data: OfIncident }
  /** It lasts after all, or has come back. */
  | { readonly type: 'IncidentReopened.v1'; readonly data: OfIncident & { readonly after: 'recovering' | 'resolved' } }
  | { readonly type: 'IncidentAcknowledged.v1'; readonly data: ByActor }
  /** Resolved by a person. */
  | { readonly type: 'IncidentClosed.v1'; readonly data: ByActor & { readonly note: string } }
  /** `commander`: user id; empty: nobody any more. */
  | { readonly type: 'IncidentCommanderAssigned.v1'; readonly data: ByActor & { readonly commander: string } }
  | { readonly type: 'IncidentNoted.v1'; readonly data: ByActor & { readonly noteId: string; readonly text: string } }
  /** `mergedId` becomes part of `incidentId`; its firing alerts move. */
  | { readonly type: 'IncidentsMerged.v1'; readonly data: ByActor & { readonly mergedId: string } }
  /** These alerts, which move, become an incident of their own, `newId`. */
  | {
      readonly type: 'IncidentSplit.v1';
      readonly data: ByActor & {
        readonly newId: string;
        readonly title: string;
        readonly severity: string;
        readonly startedAt: number;
        readonly alertIds: readonly string[];
      };
    };
