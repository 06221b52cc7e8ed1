import { getIncidents } from '../../tools/incident-tools.js';
import type { ListedIncident } from '../../tools/incident-results.js';
import {
  formatCount,
  formatList,
  formatName,
  joinSome,
  joinWithAnd,
  joinWithOr,
} from '../answers/answer-formatting.js';
import { describeWindow, formatClock, formatIsoClock, toWindowArguments } from '../time/window-resolver.js';
import type { RecordState, Slots, TimeReference } from '../understanding/slots.js';
import type { Intent } from './intent.js';

const MINUTE_MS = 60_000;
const FOLLOW_UPS = ['Which incidents are still open?', 'What is the root cause?', 'What happened in the last hour?'];

export const incidentsIntent: Intent = {
  name: 'incidents',
  // "Is the incident resolved" asks whether the problem is over, "resolved incidents" does not.
  cues: { incidents: 5, severalIncidents: 1.5, many: 1, show: 1, most: 0.5, timeline: -3, over: -1, resolved: -1 },
  forms: ['Which incidents are open?', 'How many incidents were there in the last 24 hours?'],
  async answer(context, slots) {
    const { incidents, totalCount } = (await context.callTool(getIncidents, toWindowArguments(slots.time))).answer;
    const found = incidents.filter((incident) => isRequested(incident, slots));
    const what = `${describeSelection(slots)}`;
    const when = describeTime(slots.time, context.nowMs);
    // The tool lists the newest ones of more.
    const beyond =
      totalCount > incidents.length ? ` Only the first ${incidents.length} of ${totalCount} were looked at.` : '';
    if (found.length === 0)
      return {
        text: `No incident${what}${when}${beyond === '' ? '' : ' among these'}.${beyond}`,
        followUps: FOLLOW_UPS,
      };
    if (slots.edge !== undefined && beyond !== '')
      return {
        text: `I can’t tell the ${slots.edge} of ${totalCount} incidents${when}: I look at ${incidents.length} of them. Ask about a shorter time.`,
        followUps: FOLLOW_UPS,
      };
    const listed = slots.isLasting === true ? rankByLength(found, context.nowMs) : selectEdge(found, slots.edge);
    const head =
      slots.edge === undefined
        ? `${beyond !== '' && isFiltered(slots) ? 'At least ' : ''}${formatCount(beyond === '' || isFiltered(slots) ? found.length : totalCount, 'incident')}${what}${when}`
        : `The ${slots.edge} of ${formatCount(found.length, 'incident')}${what}${when}`;
    const lines = listed.map((incident) => describeIncident(incident, context.nowMs));
    return {
      text: `${head}${slots.isLasting === true ? ', the longest first' : ''}:${formatList(lines, slots.limit ?? 5)}${beyond}`,
      followUps: FOLLOW_UPS,
    };
  },
};

const isOpen = ({ status }: ListedIncident): boolean => status !== 'resolved' && status !== 'merged';

function isInState(incident: ListedIncident, state: RecordState): boolean {
  if (state === 'reopened') return incident.reopenedCount > 0;
  return isOpen(incident) === (state === 'open' || state === 'unended');
}

function nameState(state: RecordState): string {
  return state === 'reopened' ? state : state === 'open' || state === 'unended' ? 'not resolved' : 'resolved';
}

function isRequested(incident: ListedIncident, slots: Slots): boolean {
  const { services, excluded = [], recordStates, isAcknowledged, alertSeverity, otherAlertSeverity } = slots;
  const { affectedServices, severity, acknowledgedBy } = incident;
  const { begunBy, time } = slots;
  const isOld = begunBy !== undefined && time?.kind === 'range' && Date.parse(incident[begunBy]) < time.fromMs;
  return (
    (services.length === 0 || services.some((name) => affectedServices.includes(name))) &&
    !excluded.some((name) => affectedServices.includes(name)) &&
    (recordStates === undefined || recordStates.some((state) => isInState(incident, state))) &&
    (isAcknowledged === undefined || isAcknowledged === (acknowledgedBy !== undefined)) &&
    !isOld &&
    (alertSeverity === undefined || severity === alertSeverity) &&
    severity !== otherAlertSeverity
  );
}

function isFiltered(slots: Slots): boolean {
  return describeSelection(slots) !== '';
}

function describeSelection({
  services,
  recordStates,
  isAcknowledged,
  alertSeverity,
  otherAlertSeverity,
  begunBy,
}: Slots): string {
  const parts = [
    ...(begunBy === undefined ? [] : [begunBy === 'openedAt' ? 'opened' : 'started']),
    ...(services.length === 0 ? [] : [`of ${joinWithAnd(services)}`]),
    ...(recordStates === undefined ? [] : [`(${joinWithOr(recordStates.map(nameState))})`]),
    ...(isAcknowledged === undefined ? [] : [isAcknowledged ? '(acknowledged)' : '(not acknowledged)']),
    ...(alertSeverity === undefined ? [] : [`of severity ${alertSeverity}`]),
    ...(otherAlertSeverity === undefined ? [] : [`of another severity than ${otherAlertSeverity}`]),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(' ')}`;
}

function describeTime(time: TimeReference | undefined, nowMs: number): string {
  if (time?.kind === 'moment') return ` as of ${formatClock(time.atMs, nowMs)}`;
  return time === undefined ? '' : describeWindow(time, nowMs);
}

/** Those that last are measured until now. */
function rankByLength(found: readonly ListedIncident[], nowMs: number): readonly ListedIncident[] {
  const lengthMs = ({ startedAt, endedAt }: ListedIncident): number =>
    (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt);
  return [...found].sort((a, b) => lengthMs(b) - lengthMs(a));
}

function selectEdge(found: readonly ListedIncident[], edge: Slots['edge']): readonly ListedIncident[] {
  if (edge === undefined) return found;
  const byTime = [...found].sort((a, b) => Date.parse(a.openedAt) - Date.parse(b.openedAt));
  return [edge === 'first' ? byTime[0] : byTime[byTime.length - 1]];
}

/** Title, state, times and people of an incident. */
export function describeIncident(incident: ListedIncident, nowMs: number): string {
  const { title, severity, status, startedAt, endedAt, affectedServices, alertCount } = incident;
  const lasted =
    endedAt === null
      ? `since ${formatIsoClock(startedAt, nowMs)}`
      : `from ${formatIsoClock(startedAt, nowMs)} to ${formatIsoClock(endedAt, nowMs)} (${formatCount(Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / MINUTE_MS), 'minute')})`;
  return `${formatName(title)}: ${severity}, ${status}, ${lasted}, ${formatCount(alertCount, 'alert')}; affected: ${affectedServices.length === 0 ? 'no service in particular' : joinSome(affectedServices)}; ${describePeople(incident)}`;
}

function describePeople({ commander, acknowledgedBy, resolvedBy }: ListedIncident): string {
  const parts = [
    ...(commander === undefined ? [] : [`${formatName(commander)} is in command`]),
    ...(acknowledgedBy === undefined ? [] : [`acknowledged by ${formatName(acknowledgedBy)}`]),
    ...(resolvedBy === undefined ? [] : [`resolved by ${formatName(resolvedBy)}`]),
  ];
  return parts.length === 0 ? 'nobody has taken it' : parts.join(', ');
}
