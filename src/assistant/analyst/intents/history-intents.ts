import type { Change } from '../../../diagnostics/diagnostic-results.js';
import { getDeploymentCorrelation, getIncidentTimeline } from '../../tools/diagnostic-tools.js';
import type { IsoTimestamped } from '../../tools/result-serialization.js';
import type { QueryContext } from '../query-context.js';
import type { Intent } from './intent.js';
import type { Slots, TimeReference } from '../understanding/slots.js';
import {
  describeHistoryWindow,
  describeWindow,
  formatIsoClock,
  lastMinutes,
  toHistoryArguments,
} from '../time/window-resolver.js';
import { formatCount, formatList, joinWithAnd } from '../answers/answer-formatting.js';
import { isServiceInvolved, loadDiagnoses } from '../answers/grid-lookups.js';
import { summarizeDiagnosis, toSingleLine } from '../answers/answer-sentences.js';

type ChangeResult = IsoTimestamped<Change>;

/** Where nothing changed within the hour, and no other time was asked for. */
const WIDER_MINUTES = 7 * 24 * 60;

const DEFAULT_CHANGES = 8;
const TYPE_PRIORITY: readonly ChangeResult['type'][] = ['deployment', 'scaling', 'new_service', 'new_endpoint'];

export const changesIntent: Intent = {
  name: 'changes',
  cues: { changes: 5, when: 0.5, version: 5 },
  forms: ['What changed in the last hour?', 'What changed before 14:00?', 'When was {service} last deployed?'],
  async answer(inquiry, slots) {
    const all = await loadChanges(inquiry, slots.time);
    const found = all.filter((change) => isRequestedChange(change, slots));
    if (found.length > 0 && !isServiceMissing(found, slots, inquiry))
      return createChangesDraft(
        inquiry,
        slots,
        `${describeChangeCount(found, slots)}${describeHistoryWindow(slots.time, inquiry.nowMs)}`,
        found,
      );
    const none = `${slots.isDeployed === true ? 'No deployment' : 'Nothing changed'}${describeServices(slots)}${describeHistoryWindow(slots.time, inquiry.nowMs)}`;
    const elsewhere =
      all.length === 0
        ? ''
        : `; ${formatCount(all.length, 'change')} elsewhere: ${[...new Set(all.map(({ serviceName }) => serviceName))].slice(0, 5).join(', ')}`;
    if (slots.time !== undefined || inquiry.left === 0)
      return createChangesDraft(inquiry, slots, `${none}${elsewhere}.`, []);
    const week: TimeReference = { ...lastMinutes(WIDER_MINUTES, inquiry.nowMs), last: '7 days' };
    const earlier = (await loadChanges(inquiry, week)).filter((change) => isRequestedChange(change, slots));
    if (found.length > 0)
      return createChangesDraft(inquiry, slots, `${describeChangeCount(earlier, slots)} in the last 7 days`, earlier);
    if (earlier.length === 0)
      return createChangesDraft(inquiry, slots, `${none}, nor in the last 7 days${elsewhere}.`, []);
    return createChangesDraft(
      inquiry,
      slots,
      `${none}${elsewhere}. Before that, ${describeChangeCount(earlier, slots)} in the last 7 days`,
      earlier,
    );
  },
};

/** "Was shipping or payment released first": of a service that did not change within the hour the answer lies before. */
function isServiceMissing(found: readonly ChangeResult[], { services, time }: Slots, { left }: QueryContext): boolean {
  return (
    time === undefined &&
    left > 0 &&
    services.length > 1 &&
    services.some((name) => !found.some(({ serviceName }) => serviceName === name))
  );
}

async function loadChanges(inquiry: QueryContext, time: TimeReference | undefined): Promise<readonly ChangeResult[]> {
  const { answer } = await inquiry.callTool(getDeploymentCorrelation, toHistoryArguments(time, inquiry.nowMs));
  return [...answer].sort((a, b) => Date.parse(b.detectedAt) - Date.parse(a.detectedAt));
}

function isRequestedChange({ serviceName, type }: ChangeResult, { services, isDeployed }: Slots): boolean {
  return (services.length === 0 || services.includes(serviceName)) && (isDeployed !== true || type === 'deployment');
}

function describeChangeCount(found: readonly ChangeResult[], slots: Slots): string {
  return `${formatCount(found.length, slots.isDeployed === true ? 'deployment' : 'change')}${describeServices(slots)}`;
}

function describeServices({ services, isDeployed }: Slots): string {
  return services.length === 0 ? '' : ` ${isDeployed === true ? 'of' : 'in'} ${services.join(' or ')}`;
}

function createChangesDraft(
  { nowMs }: QueryContext,
  { services: [name], limit = DEFAULT_CHANGES, isWho }: Slots,
  text: string,
  found: readonly ChangeResult[],
): Awaited<ReturnType<Intent['answer']>> {
  const [newest] = found;
  const about = name ?? newest?.serviceName;
  const followUps =
    about === undefined
      ? ['Is anything broken?', 'What happened in the last hour?']
      : [`How is ${about} doing?`, `Why is ${about} slow?`, 'What happened in the last hour?'];
  const list =
    found.length === 0
      ? ''
      : `, the newest first:${formatList(
          selectMostImportant(found, limit).map((change) => formatChange(change, nowMs)),
          limit,
          found.length,
        )}`;
  const isDeployed = newest?.type === 'deployment';
  const who = isWho === true ? '\nWho did it telemetry does not tell.' : '';
  return {
    text: `${text}${list}${who}`,
    followUps: isDeployed ? [`How is ${newest.serviceName} doing since the deployment?`, ...followUps] : followUps,
  };
}

/** In a long list a deployment must not be cut off by endpoints that were new. */
function selectMostImportant(found: readonly ChangeResult[], limit: number): readonly ChangeResult[] {
  const chosen = new Set(
    [...found].sort((a, b) => TYPE_PRIORITY.indexOf(a.type) - TYPE_PRIORITY.indexOf(b.type)).slice(0, limit),
  );
  return found.filter((change) => chosen.has(change));
}

function formatChange(
  { type, serviceName, detectedAt, previousVersion, currentVersion, description, performanceImpact }: ChangeResult,
  nowMs: number,
): string {
  const { latencyChange, errorRateChange, assessment } = performanceImpact;
  const what =
    type === 'deployment'
      ? `${serviceName} deployed ${currentVersion}${previousVersion === '' ? '' : ` (before: ${previousVersion})`}`
      : `${serviceName}: ${description}`;
  return `${formatIsoClock(detectedAt, nowMs)}: ${what}; latency ${latencyChange}, error rate ${errorRateChange}, ${assessment} impact`;
}

const DEFAULT_EVENTS = 10;

export const timelineIntent: Intent = {
  name: 'timeline',
  cues: { timeline: 4 },
  forms: ['What happened in the last hour?', 'What happened at 14:00?', 'What happened to {service} yesterday?'],
  async answer(inquiry, { services, time, limit = DEFAULT_EVENTS }) {
    const { answer } = await inquiry.callTool(getIncidentTimeline, toHistoryArguments(time, inquiry.nowMs));
    const found = answer.filter(({ serviceName }) => services.length === 0 || services.includes(serviceName));
    const of = services.length === 0 ? '' : ` for ${joinWithAnd(services)}`;
    const window = describeHistoryWindow(time, inquiry.nowMs);
    if (found.length === 0) {
      const elsewhere = answer.length === 0 ? '' : `; ${formatCount(answer.length, 'event')} elsewhere`;
      return {
        text: `No events${of}${window}: no deployment, anomaly or alert${elsewhere}.${await describeCause(inquiry, { services, time })}`,
        followUps: ['What happened in the last 24 hours?', 'Is anything broken?'],
      };
    }
    // What is grave must not be cut off by what is not.
    const shown =
      found.length <= limit
        ? found
        : [...found]
            .sort((a, b) => severityRank(b.severity) - severityRank(a.severity))
            .slice(0, limit)
            .sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
    const lines = shown.map(
      ({ timestamp, type, description, severity, serviceName }) =>
        `${formatIsoClock(timestamp, inquiry.nowMs)} ${type} (${severity})${serviceName === '' ? '' : ` ${serviceName}`}: ${toSingleLine(description)}`,
    );
    const about =
      services[0] ??
      found.find(({ severity, serviceName }) => severity === 'critical' && serviceName !== '')?.serviceName;
    return {
      text: `${formatCount(found.length, 'event')}${of}${window}:${formatList(lines, limit, found.length)}`,
      followUps: [
        ...(about === undefined ? [] : [`Why is ${about} slow?`, `What changed in ${about}?`]),
        'Is anything broken?',
        'Are there any alerts?',
      ],
    };
  },
};

/** Trouble that is young enough, or quiet enough, to be no event yet. */
async function describeCause(inquiry: QueryContext, slots: Pick<Slots, 'services' | 'time'>): Promise<string> {
  if (inquiry.left === 0) return '';
  const found = (await loadDiagnoses(inquiry, slots)).find(
    (each) => slots.services.length === 0 || slots.services.some((name) => isServiceInvolved(each, name)),
  );
  return found === undefined
    ? ''
    : `\nThe diagnosis${describeWindow(slots.time, inquiry.nowMs)}: ${summarizeDiagnosis(found, inquiry.nowMs)}.`;
}

function severityRank(severity: string): number {
  return ['info', 'warning', 'critical'].indexOf(severity);
}
