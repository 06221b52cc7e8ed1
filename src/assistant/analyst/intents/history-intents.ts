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
import {
  formatCount,
  formatList,
  formatName,
  joinWithAnd,
  formatErrorRateChange,
} from '../answers/answer-formatting.js';
import { isServiceInvolved, loadDiagnoses } from '../answers/grid-lookups.js';
import { summarizeDiagnosis, toSingleLine } from '../answers/answer-sentences.js';

type ChangeResult = IsoTimestamped<Change>;

/** Used if nothing changed within the hour and no time was given. */
const WIDER_MINUTES = 7 * 24 * 60;

const DEFAULT_CHANGES = 8;
/** Causes before effects. */
const TYPE_PRIORITY: readonly ChangeResult['type'][] = [
  'deployment',
  'scaling',
  'eviction',
  'restart',
  'probe_failure',
  'new_service',
  'new_endpoint',
];

export const changesIntent: Intent = {
  name: 'changes',
  cues: { changes: 5, when: 0.5, version: 5 },
  forms: ['What changed in the last hour?', 'What changed before 14:00?', 'When was {service} last deployed?'],
  async answer(context, slots) {
    const all = await loadChanges(context, slots.time);
    const found = all.filter((change) => isRequestedChange(change, slots));
    if (found.length > 0 && !isServiceMissing(found, slots, context))
      return createChangesDraft(
        context,
        slots,
        `${describeChangeCount(found, slots)}${describeHistoryWindow(slots.time, context.nowMs)}`,
        found,
      );
    const none = `${slots.isDeployed === true ? 'No deployment' : 'Nothing changed'}${describeServices(slots)}${describeHistoryWindow(slots.time, context.nowMs)}`;
    const elsewhere =
      all.length === 0
        ? ''
        : `; ${formatCount(all.length, 'change')} elsewhere: ${[...new Set(all.map(({ serviceName }) => serviceName))].slice(0, 5).join(', ')}`;
    if (slots.time !== undefined || context.sourcesLeft === 0)
      return createChangesDraft(context, slots, `${none}${elsewhere}.`, []);
    const week: TimeReference = { ...lastMinutes(WIDER_MINUTES, context.nowMs), last: '7 days' };
    const earlier = (await loadChanges(context, week)).filter((change) => isRequestedChange(change, slots));
    if (found.length > 0)
      return createChangesDraft(context, slots, `${describeChangeCount(earlier, slots)} in the last 7 days`, earlier);
    if (earlier.length === 0)
      return createChangesDraft(context, slots, `${none}, nor in the last 7 days${elsewhere}.`, []);
    return createChangesDraft(
      context,
      slots,
      `${none}${elsewhere}. Before that, ${describeChangeCount(earlier, slots)} in the last 7 days`,
      earlier,
    );
  },
};

/**
 * "Was shipping or payment released first": if a service did not change within the hour, the answer lies further
 * back.
 */
function isServiceMissing(
  found: readonly ChangeResult[],
  { services, time }: Slots,
  { sourcesLeft: left }: QueryContext,
): boolean {
  return (
    time === undefined &&
    left > 0 &&
    services.length > 1 &&
    services.some((name) => !found.some(({ serviceName }) => serviceName === name))
  );
}

async function loadChanges(context: QueryContext, time: TimeReference | undefined): Promise<readonly ChangeResult[]> {
  const { answer } = await context.callTool(getDeploymentCorrelation, toHistoryArguments(time, context.nowMs));
  return [...answer].sort((a, b) => Date.parse(b.detectedAt) - Date.parse(a.detectedAt));
}

function isRequestedChange(
  { serviceName, type, currentVersion, previousVersion }: ChangeResult,
  { services, excluded = [], isDeployed, tags = {}, version = tags['service.version'] }: Slots,
): boolean {
  return (
    (services.length === 0 || services.includes(serviceName)) &&
    !excluded.includes(serviceName) &&
    (isDeployed !== true || type === 'deployment') &&
    (version === undefined || currentVersion === version || (isDeployed !== true && previousVersion === version))
  );
}

function describeChangeCount(found: readonly ChangeResult[], slots: Slots): string {
  return `${formatCount(found.length, slots.isDeployed === true ? 'deployment' : 'change')}${describeServices(slots)}`;
}

function describeServices({ services, isDeployed, tags = {}, version = tags['service.version'] }: Slots): string {
  const of = services.length === 0 ? '' : ` ${isDeployed === true ? 'of' : 'in'} ${services.join(' or ')}`;
  return `${of}${version === undefined ? '' : ` with version ${formatName(version)}`}`;
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
  const whoNote = isWho === true ? '\nTelemetry does not show who made the change.' : '';
  return {
    text: `${text}${list}${whoNote}`,
    followUps: isDeployed ? [`How is ${newest.serviceName} doing since the deployment?`, ...followUps] : followUps,
  };
}

/** Deployments take precedence over new endpoints when the list is truncated. */
function selectMostImportant(found: readonly ChangeResult[], limit: number): readonly ChangeResult[] {
  const selected = new Set(
    [...found].sort((a, b) => TYPE_PRIORITY.indexOf(a.type) - TYPE_PRIORITY.indexOf(b.type)).slice(0, limit),
  );
  return found.filter((change) => selected.has(change));
}

function formatChange(
  { type, serviceName, detectedAt, previousVersion, currentVersion, description, performanceImpact }: ChangeResult,
  nowMs: number,
): string {
  const { latencyChange, assessment } = performanceImpact;
  const what =
    type === 'deployment' && currentVersion !== ''
      ? `${serviceName} deployed ${currentVersion}${previousVersion === '' ? '' : ` (before: ${previousVersion})`}`
      : `${serviceName}: ${description}`;
  return `${formatIsoClock(detectedAt, nowMs)}: ${what}; latency ${latencyChange}, error rate ${formatErrorRateChange(performanceImpact)}, ${assessment} impact`;
}

const DEFAULT_EVENTS = 10;

export const timelineIntent: Intent = {
  name: 'timeline',
  cues: { timeline: 4 },
  forms: ['What happened in the last hour?', 'What happened at 14:00?', 'What happened to {service} yesterday?'],
  async answer(context, { services, excluded = [], time, limit = DEFAULT_EVENTS }) {
    const { answer } = await context.callTool(getIncidentTimeline, toHistoryArguments(time, context.nowMs));
    const found = answer.filter(
      ({ serviceName }) => (services.length === 0 || services.includes(serviceName)) && !excluded.includes(serviceName),
    );
    const of = services.length === 0 ? '' : ` for ${joinWithAnd(services)}`;
    const window = describeHistoryWindow(time, context.nowMs);
    if (found.length === 0) {
      const elsewhere = answer.length === 0 ? '' : `; ${formatCount(answer.length, 'event')} elsewhere`;
      return {
        text: `No events${of}${window}: no deployment, anomaly or alert${elsewhere}.${await describeCause(context, { services, time })}`,
        followUps: ['What happened in the last 24 hours?', 'Is anything broken?'],
      };
    }
    // Severe events take precedence when the list is truncated.
    const listed =
      found.length <= limit
        ? found
        : [...found]
            .sort((a, b) => severityRank(b.severity) - severityRank(a.severity))
            .slice(0, limit)
            .sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
    const lines = listed.map(
      ({ timestamp, type, description, severity, serviceName }) =>
        `${formatIsoClock(timestamp, context.nowMs)} ${type} (${severity})${serviceName === '' ? '' : ` ${serviceName}`}: ${toSingleLine(description)}`,
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

/** Problems that are too recent or too small to be timeline events. */
async function describeCause(context: QueryContext, slots: Pick<Slots, 'services' | 'time'>): Promise<string> {
  if (context.sourcesLeft === 0) return '';
  const found = (await loadDiagnoses(context, slots)).find(
    (each) => slots.services.length === 0 || slots.services.some((name) => isServiceInvolved(each, name)),
  );
  return found === undefined
    ? ''
    : `\nThe diagnosis${describeWindow(slots.time, context.nowMs)}: ${summarizeDiagnosis(found, context.nowMs)}.`;
}

function severityRank(severity: string): number {
  return ['info', 'warning', 'critical'].indexOf(severity);
}
