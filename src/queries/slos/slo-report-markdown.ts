import type { SloReport } from '../../diagnostics/slos/slo-report.js';
import { HOUR_MS } from '../../diagnostics/slos/slo-window.js';
import { RECORDED_HOURS } from '../../read-models/documents/slo-documents.js';

const HOURS_PER_DAY = 24;
const LISTED = 50;

/** The report as Markdown; names that came with telemetry cannot become markup. */
export function formatReport(report: SloReport): string {
  const { slo, month, zone } = report;
  return [
    `# ${escapeMarkdown(slo.name)}: ${month}`,
    '',
    ...summarize(report),
    '',
    ...listSection('Worst days', ['Day', 'Bad', 'Events', 'Good'], listWorstDays(report), 'No day had bad events.'),
    ...listSection('Alerts', ['Fired', 'Resolved', 'Severity', 'Condition'], listAlerts(report), 'No alerts.'),
    ...listSection('Incidents', ['Began', 'Ended', 'Status', 'Incident'], listIncidents(report), 'No incidents.'),
    '## What this counts',
    '',
    ...describeLimits(report).map((line) => `- ${line}`),
    `- Days are those of ${zone}; other times are UTC.`,
    '',
  ].join('\n');
}

function summarize({ slo, events, attained, budget, isMet, isOver }: SloReport): string[] {
  const { good, total } = events;
  if (total === 0) return ['**No events were counted.**', '', `Target: ${slo.objective} %`];
  const rows = [
    ['Target', `${slo.objective} %`],
    ['Achieved', `${round(attained ?? 0, 4)} % (${good} of ${total} events)`],
    ['Budget', `${round(budget.total, 3)} bad events`],
    ['Budget spent', `${budget.consumed} (${round(100 - budget.remainingPercent, 2)} %)`],
    ['Budget remaining', `${round(budget.remaining, 3)} (${round(budget.remainingPercent, 2)} %)`],
  ];
  return [`**${isMet ? 'Met' : 'Missed'}${isOver ? '' : ' so far'}.**`, '', ...formatTable(['', ''], rows)];
}

function listWorstDays({ worstDays }: SloReport): string[][] {
  return worstDays.map(({ day, good, total }) => [
    day,
    `${total - good}`,
    `${total}`,
    `${round((good / total) * 100, 4)} %`,
  ]);
}

function listAlerts({ alerts }: SloReport): string[][] {
  return alerts.map(({ firedAt, resolvedAt, severity, condition }) => [
    formatTime(firedAt),
    resolvedAt === null ? 'still firing' : formatTime(resolvedAt),
    severity,
    condition,
  ]);
}

function listIncidents({ incidents }: SloReport): string[][] {
  return incidents.map(({ startedAt, endedAt, status, title }) => [
    formatTime(startedAt),
    endedAt === null ? 'lasts' : formatTime(endedAt),
    status,
    title,
  ]);
}

/** What the report cannot know, and what it left out on purpose. */
function describeLimits({ slo, window, isOver, coveredFromMs, excluded }: SloReport): string[] {
  const lines: string[] = [];
  if (!isOver) lines.push(`The month is not over: it counts until ${formatTime(window.toMs)}.`);
  if (coveredFromMs === undefined || coveredFromMs > window.fromMs + HOUR_MS)
    lines.push(
      `Nothing is known before ${formatTime(coveredFromMs ?? window.toMs)}: there were no events, or they were not stored any more when the objective was created. Counts of ${RECORDED_HOURS / HOURS_PER_DAY} days are kept.`,
    );
  if (slo.excludesMaintenance === true)
    lines.push(
      `Left out as planned maintenance: ${excluded.total} events, of which ${excluded.total - excluded.good} were bad.`,
    );
  if (window.fromMs % HOUR_MS !== 0)
    lines.push('Events are counted by whole hours of UTC, which the days do not begin with.');
  lines.push('The target applies to the calendar month, whatever the window of the objective.');
  return lines;
}

function listSection(title: string, head: readonly string[], rows: readonly string[][], none: string): string[] {
  const more = rows.length > LISTED ? ['', `… and ${rows.length - LISTED} more.`] : [];
  const body = rows.length === 0 ? [none] : [...formatTable(head, rows.slice(0, LISTED)), ...more];
  return [`## ${title}`, '', ...body, ''];
}

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const toRow = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [toRow(head), `|${'---|'.repeat(head.length)}`, ...rows.map(toRow)];
}

function escapeMarkdown(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_{}[\]<>#|!~&]/g, '\\$&');
}

function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}`;
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
