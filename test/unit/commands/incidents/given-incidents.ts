import {
  incidentDecider,
  type IncidentAction,
  type IncidentCommand,
} from '../../../../src/commands/incidents/incident-decider.js';
import type { IncidentsState } from '../../../../src/commands/incidents/incident-state.js';
import type { AlertChange, ObservedCause } from '../../../../src/commands/incidents/observed-changes.js';
import { isRejection } from '../../../../src/commands/decider.js';
import type { IncidentAlert, IncidentEvent } from '../../../../src/streams/events/incident-events.js';

export const GRID = 'grid';
export const T0 = Date.UTC(2026, 2, 14, 9);
export const SECOND = 1_000;
export const MINUTE = 60_000;

export function alert(serviceName: string, changes: Partial<IncidentAlert> = {}): IncidentAlert {
  return {
    alertId: `${serviceName}-errors`,
    ruleId: 'errors',
    ruleName: 'Error rate',
    serviceName,
    condition: 'error_rate > 5%',
    severity: 'warning',
    value: 9,
    firedAt: T0,
    ...changes,
  };
}

export function cause(serviceName: string, changes: Partial<ObservedCause> = {}): ObservedCause {
  return {
    cause: `${serviceName} fails`,
    kind: 'errors',
    serviceName,
    confidence: 0.9,
    severity: 'critical',
    affectedServices: [],
    evidence: [`9 % of the requests to ${serviceName} fail`],
    firstDetected: T0 - MINUTE,
    impactedTraceCount: 3,
    sampleTraceIds: ['5b8efff798038103d269b633813fc60c'],
    isConfirmed: true,
    isOver: false,
    ...changes,
  };
}

/** Events so far, and the state after them. */
export class Incidents {
  state: IncidentsState = incidentDecider.initialState;
  readonly events: IncidentEvent[] = [];
  private revision = 0;

  /** What the policy observes at a time; resolves to the types of the events that follow. */
  observe(at: number, { fired = [], changes = [], causes = [] }: Observation): string[] {
    const alerts = [...fired.map((each) => ({ change: 'fired' as const, alert: each })), ...changes].map(
      (change): AlertChange => ({ ...change, revision: (this.revision += 1) }),
    );
    return this.decide({ type: 'Observe', gridId: GRID, at, alerts, causes });
  }

  act(action: Partial<IncidentAction> & Pick<IncidentAction, 'type' | 'incidentId'>, at = T0): string[] {
    return this.decide({ actor: 'owner', gridId: GRID, at, ...action } as IncidentAction);
  }

  decide(command: IncidentCommand): string[] {
    const decision = incidentDecider.decide(command, this.state);
    if (isRejection(decision)) return [decision.rejected, ...decision.fields.map(({ field }) => field)];
    this.events.push(...decision);
    this.state = incidentDecider.evolveAll!(this.state, decision);
    return decision.map(({ type }) => type.replace(/\.v\d+$/, ''));
  }

  /** `title: status`, and which alerts fire. */
  get summary(): string[] {
    return [...this.state.incidents.values()].map(({ title, status, firing }) =>
      [`${title}: ${status}`, ...firing.keys()].join(', '),
    );
  }

  id(title: string): string {
    const found = [...this.state.incidents.values()].find((incident) => incident.title === title);
    if (found === undefined) throw new Error(`There is no incident "${title}"`);
    return found.id;
  }
}

interface Observation {
  readonly fired?: readonly IncidentAlert[];
  readonly changes?: readonly DistributedOmit[];
  readonly causes?: readonly ObservedCause[] | undefined;
}

type WithoutRevision<Change> = Change extends unknown ? Omit<Change, 'revision'> : never;
type DistributedOmit = WithoutRevision<AlertChange>;

export const ended = (alertId: string) => ({ change: 'resolved', alertId }) as const;
