import type { IncidentAlert, IncidentCause, IncidentEvent } from '../../streams/events/incident-events.js';
import type { IncidentsDraft } from './incident-state.js';

/** An event of the alerts stream. */
export type AlertChange = { readonly revision: number } & (
  | { readonly change: 'fired'; readonly alert: IncidentAlert }
  | { readonly change: 'severity'; readonly alertId: string; readonly severity: string; readonly value: number }
  | { readonly change: 'acknowledged'; readonly alertId: string; readonly by: string }
  | { readonly change: 'resolved'; readonly alertId: string }
);

/** A cause that the diagnosis states. */
export interface ObservedCause extends IncidentCause {
  /** It has lasted long enough not to be a guess of the first seconds. */
  readonly isConfirmed: boolean;
  /** It is over by the diagnosis. */
  readonly isOver: boolean;
}

export interface IncidentObservation {
  readonly gridId: string;
  readonly at: number;
  /** Events of the alerts stream after the last ones, in their order. */
  readonly alerts: readonly AlertChange[];
  /** What the diagnosis states now, best first; undefined: it is not known. */
  readonly causes: readonly ObservedCause[] | undefined;
}

/** How long (ms) after its end an incident is the same again when its cause comes back. */
export const REOPEN_MS = 3_600_000;

/** What an observation is decided with: events so far, and the state after them. */
export interface ObservationContext extends IncidentObservation {
  readonly draft: IncidentsDraft;
  /** Appends an event to the decision, and applies it. */
  readonly record: (event: IncidentEvent) => void;
}
