import {
  buildReport,
  type ReportedAlert,
  type ReportedIncident,
  type ReportInput,
  type SloReport,
} from '../../diagnostics/slos/slo-report.js';
import type { AlertDocument } from '../../read-models/documents/alert-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import { createAlertQueries } from '../diagnostics/alert-queries.js';
import { createDayFormat, findMonth } from './report-month.js';
import { createIncidentQueries } from '../incidents/incident-queries.js';
import type { CountedHours } from './slo-counting.js';
import type { ReportRequest } from './slo-query-types.js';

/** Incidents of a Grid that are looked through, newest first. */
const MAX_INCIDENTS = 1_000;

/**
 * The report on an objective in a month, as of its end or an earlier moment.
 * @param countHours counts the hours of a window
 */
export async function readReport(
  store: ReadModelReader,
  gridId: string,
  slo: ReportInput['slo'],
  { month, zone }: ReportRequest,
  nowMs: number,
  countHours: (window: ReportInput['window']) => Promise<CountedHours>,
): Promise<SloReport> {
  const { fromMs, toMs } = findMonth(month, zone);
  const window = { fromMs, toMs: Math.max(fromMs, Math.min(toMs, nowMs)) };
  const found = await createAlertQueries(store).alertsDuring(gridId, window);
  const alerts = found.filter(({ ruleId }) => ruleId === slo.id);
  const input: ReportInput = {
    ...{ slo, month, zone, window, isOver: nowMs >= toMs },
    ...(await countHours(window)),
    alerts: alerts.map((alert) => reportAlert(alert, window.toMs)),
    incidents: await readIncidents(store, gridId, window, new Set(alerts.map(({ id }) => id))),
  };
  return buildReport(input, createDayFormat(zone));
}

function reportAlert({ severity, condition, firedAt, resolvedAt }: AlertDocument, atMs: number): ReportedAlert {
  const isResolved = resolvedAt !== undefined && resolvedAt <= atMs;
  return { severity, condition, firedAt, resolvedAt: isResolved ? resolvedAt : null };
}

async function readIncidents(
  store: ReadModelReader,
  gridId: string,
  range: ReportInput['window'],
  alertIds: ReadonlySet<string>,
): Promise<readonly ReportedIncident[]> {
  if (alertIds.size === 0) return [];
  const selection = { when: { range }, page: 1, pageSize: MAX_INCIDENTS };
  const { incidents } = await createIncidentQueries(store).incidents(gridId, selection);
  return incidents
    .map(({ incident }) => incident)
    .filter(({ alerts }) => alerts.some(({ alertId }) => alertIds.has(alertId)))
    .flatMap(({ id, title, status, startedAt, endedAt = null }) =>
      status === 'merged' ? [] : [{ id, title, status, startedAt, endedAt }],
    )
    .sort((a, b) => a.startedAt - b.startedAt);
}
