import type { Authored } from './grid-events.js';

/** A service level objective as stored in events: the members of diagnostics/slos/slo-model.ts, frozen here. */
export interface StoredSlo {
  readonly id: string;
  readonly name: string;
  /** Empty texts and 0 stand for what the type of the indicator does not have. */
  readonly indicator: {
    readonly type: string;
    readonly serviceName: string;
    readonly operation: string;
    readonly thresholdMs: number;
    readonly signal: string;
    readonly good: string;
    readonly all: string;
  };
  readonly objective: number;
  readonly windowDays: number;
  readonly calendar: boolean;
  readonly alerts: boolean;
  /** Absent: false. */
  readonly excludesMaintenance?: boolean;
}

/** Versions without maintenance; upcast when read. */
export const SLOS_V1 = ['SloCreated.v1', 'SloChanged.v1', 'SloEventsCounted.v1'] as const;

/** Events in the stream `grid-<gridId>`, next to its settings. */
export type SloEvent =
  | { readonly type: 'SloCreated.v2'; readonly data: Authored & { readonly gridId: string; readonly slo: StoredSlo } }
  | { readonly type: 'SloChanged.v2'; readonly data: Authored & { readonly gridId: string; readonly slo: StoredSlo } }
  | { readonly type: 'SloDeleted.v1'; readonly data: Authored & { readonly gridId: string; readonly sloId: string } };

/**
 * Event in the stream `slos-<gridId>`: the events of an objective in the telemetry from one revision of the Grid's
 * telemetry stream to another. Counts of the same hour add up: late telemetry corrects them, and what retention removes
 * stays counted.
 */
export interface SloEventsCounted {
  readonly type: 'SloEventsCounted.v2';
  readonly data: {
    readonly gridId: string;
    readonly sloId: string;
    /** Since when the objective has this indicator: counts of an earlier one do not add up with these. */
    readonly definedAt: number;
    /** Telemetry with revisions above `after`, up to `through`. −1: from the first one. */
    readonly after: number;
    readonly through: number;
    /** Hours since 1970 with events, ascending, with their good events and all events. */
    readonly hours: readonly (readonly [hour: number, good: number, total: number])[];
    /** Those of them in planned maintenance that concerned the objective; absent: none. */
    readonly maintenance?: readonly (readonly [hour: number, good: number, total: number])[];
    readonly at: number;
  };
}
