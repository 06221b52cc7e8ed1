import { HindsightError } from '../../src/errors.js';
import type { IncidentPort } from '../../src/http/api-call.js';
import type { IncidentRecord } from '../../src/diagnostics/incidents/incident-model.js';
import type { IncidentDetail, IncidentDetailQueries } from '../../src/queries/incidents/incident-details.js';
import type { IncidentPage, IncidentSelection } from '../../src/queries/incidents/incident-query-types.js';
import type { Position } from '../../src/streams/event-store.js';
import { CREATED_ID } from './created-id.js';

const AT = Date.UTC(2026, 2, 14, 9, 26);
const POSITION = '1' as unknown as Position;

export const INCIDENT: IncidentRecord = {
  id: '0a0a0a0a-1111-4222-8333-0123456789ab',
  title: 'payment responds slowly',
  severity: 'critical',
  status: 'acknowledged',
  openedAt: AT,
  startedAt: AT - 60_000,
  cause: {
    cause: 'payment responds slowly',
    kind: 'latency',
    serviceName: 'payment',
    confidence: 0.92,
    severity: 'critical',
    affectedServices: ['checkout'],
    evidence: ['p95 of payment is 776 % above the hour before'],
    firstDetected: AT - 60_000,
    impactedTraceCount: 12,
    sampleTraceIds: ['5b8efff798038103d269b633813fc60c'],
  },
  alerts: [
    {
      alertId: 'alert-1',
      ruleName: 'Error rate',
      serviceName: 'checkout',
      labels: { 'customer.tier': 'gold' },
      condition: 'error_rate > 5%',
      severity: 'warning',
      value: 8.5,
      firedAt: AT,
    },
  ],
  alertCount: 1,
  firingCount: 1,
  affectedServices: ['payment', 'checkout'],
  acknowledgedBy: 'owner',
  acknowledgedAt: AT + 1_000,
  reopenedCount: 0,
  noteCount: 0,
};

export const INCIDENT_DETAIL: IncidentDetail = {
  incident: INCIDENT,
  timeline: [
    {
      at: AT,
      kind: 'opened',
      title: INCIDENT.title,
      severity: 'critical',
      startedAt: AT,
      cause: INCIDENT.cause!,
      splitFrom: '',
      by: '',
    },
    { at: AT + 1_000, kind: 'acknowledged', by: 'owner' },
  ],
  timelineCount: 2,
  changes: [],
  similar: [
    { incident: { ...INCIDENT, id: 'earlier', status: 'resolved', endedAt: AT - 1 }, similarity: 'same cause' },
  ],
};

/** One incident; records what it is asked. */
export class FakeIncidents implements IncidentPort, IncidentDetailQueries {
  readonly calls: unknown[][] = [];

  async incidents(gridId: string, selection: IncidentSelection): Promise<IncidentPage> {
    this.calls.push(['incidents', gridId, selection]);
    return { incidents: [INCIDENT_DETAIL], totalCount: 1 };
  }

  async incident(gridId: string, incidentId: string, asOfMs: number | undefined): Promise<IncidentDetail | undefined> {
    this.calls.push(['incident', gridId, incidentId, asOfMs]);
    return incidentId === INCIDENT.id ? INCIDENT_DETAIL : undefined;
  }

  async acknowledgeIncident(...of: readonly [string, string, string]) {
    return this.record('acknowledge', ...of);
  }

  async resolveIncident(...of: readonly [string, string, string, string]) {
    return this.record('resolve', ...of);
  }

  async assignCommander(...of: readonly [string, string, string, string]) {
    return this.record('commander', ...of);
  }

  async addNote(...of: readonly [string, string, string, string]) {
    return this.record('note', ...of);
  }

  async mergeIncident(...of: readonly [string, string, string, string]) {
    return this.record('merge', ...of);
  }

  async splitIncident(...of: readonly [string, string, string, readonly string[]]) {
    return { ...this.record('split', ...of), newId: CREATED_ID };
  }

  async waitForPosition(): Promise<boolean> {
    return true;
  }

  private record(name: string, actor: string, gridId: string, incidentId: string, ...more: readonly unknown[]) {
    this.calls.push([name, actor, gridId, incidentId, ...more]);
    if (incidentId !== INCIDENT.id) throw new HindsightError('not-found', 'The Grid has no incident with this id.');
    return { position: POSITION };
  }
}

export function fakeIncidents() {
  const incidents = new FakeIncidents();
  return { incidents, incidentCommands: incidents };
}
