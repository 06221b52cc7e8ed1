import {
  type DiagnosisResult,
  isServiceInvolved,
  loadDependencyFigures,
  loadDiagnoses,
  loadServiceHealth,
} from '../answers/grid-lookups.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent, IntentName } from './intent.js';
import {
  describeDependency,
  describeDiagnosis,
  summarizeDiagnosis,
  toSingleLine,
} from '../answers/answer-sentences.js';
import type { Slots } from '../understanding/slots.js';
import {
  describeWindow,
  formatIsoClock,
  isPast,
  lastMinutes,
  toHistoryArguments,
  toRangeArguments,
  toWindowArguments,
} from '../time/window-resolver.js';
import {
  formatCount,
  formatList,
  formatServiceFigures,
  joinSome,
  formatErrorRateChange,
} from '../answers/answer-formatting.js';
import type { TimelineEvent } from '../../../diagnostics/diagnostic-results.js';
import { getDeploymentCorrelation, getIncidentTimeline } from '../../tools/diagnostic-tools.js';
import type { IsoTimestamped } from '../../tools/result-serialization.js';
import { getIncidents } from '../../tools/incident-tools.js';
import { describeIncident } from './incident-intent.js';
import { answerExceptionType } from '../answers/exception-answers.js';
import { describeStatus, selectStatus, withWindowAround } from '../answers/status-sentences.js';

export const whyIntent: Intent = {
  name: 'why',
  cues: { why: 6 },
  forms: ['Why is {service} slow?', 'What is the root cause?'],
  async answer(context, asked) {
    const slots = withWindowAround(asked, context.nowMs);
    const diagnoses = await loadDiagnoses(context, slots);
    const [name] = slots.services;
    return name === undefined
      ? explainGrid(context, slots, diagnoses)
      : explainService(context, slots, name, diagnoses);
  },
};

async function explainService(
  context: QueryContext,
  slots: Slots,
  name: string,
  diagnoses: readonly DiagnosisResult[],
): Promise<Draft> {
  const [found, ...others] = diagnoses.filter((each) => isServiceInvolved(each, name));
  const state = await describeServiceState(context, slots, name);
  if (found === undefined) return explainWithoutDiagnosis(context, name, state, diagnoses);
  const also =
    others.length === 0
      ? ''
      : `\nAlso possible:${formatList(
          others.map((other) => summarizeDiagnosis(other, context.nowMs)),
          2,
        )}`;
  const causeService = found.serviceName ?? name;
  const more = context.vocabulary.dependencies.includes(causeService)
    ? `Which services depend on ${causeService}?`
    : `Show me the logs of ${causeService}`;
  return {
    text: `${state}${describeDiagnosis(found, context.nowMs)}${also}`,
    followUps: [
      `Show me failed traces of ${name}`,
      causeService === name ? `What changed in ${name}?` : `How is ${causeService} doing?`,
      'Since when?',
      more,
    ],
  };
}

/** The service's figures in one sentence, if there is energy left. */
async function describeServiceState(context: QueryContext, slots: Slots, name: string): Promise<string> {
  if (context.sourcesLeft === 0) return '';
  const window = describeWindow(slots.time, context.nowMs);
  if (context.vocabulary.dependencies.includes(name))
    return `${describeDependency(await loadDependencyFigures(context, name, slots), window)}\n`;
  const service = (await loadServiceHealth(context, slots)).find(({ serviceName }) => serviceName === name);
  return service === undefined
    ? `${name} sent nothing${window} or in the day before.\n`
    : `${name} ${describeStatus(service, slots, context.nowMs)}: ${formatServiceFigures(service)}.\n`;
}

function explainWithoutDiagnosis(
  { nowMs }: QueryContext,
  name: string,
  state: string,
  diagnoses: readonly DiagnosisResult[],
): Draft {
  const isWell = / (?:is|was) healthy/.test(state);
  const verdict = isWell
    ? `Nothing points at a problem of ${name}: there is no diagnosis for it.`
    : `There is no diagnosis for ${name}: no cause stands out.`;
  const elsewhere =
    diagnoses.length === 0
      ? ''
      : `\nElsewhere:${formatList(
          diagnoses.map((found) => summarizeDiagnosis(found, nowMs)),
          3,
        )}`;
  const followUps = [`What changed in ${name}?`, `Which errors does ${name} have?`, `What does ${name} depend on?`];
  return {
    text: `${state}${verdict}${elsewhere}`,
    followUps: diagnoses.length > 0 ? ['What is the root cause?', ...followUps] : followUps,
  };
}

async function explainGrid(
  context: QueryContext,
  slots: Slots,
  [first, ...others]: readonly DiagnosisResult[],
): Promise<Draft> {
  if (first !== undefined) {
    const also =
      others.length === 0
        ? ''
        : `\nAlso possible:${formatList(
            others.map((other) => summarizeDiagnosis(other, context.nowMs)),
            3,
          )}`;
    const about = first.serviceName ?? first.affectedServices[0];
    const followUps =
      about === undefined
        ? ['Is anything broken?']
        : [`How is ${about} doing?`, `Show me failed traces of ${about}`, `What changed in ${about}?`];
    return {
      text: `${describeDiagnosis(first, context.nowMs)}${also}`,
      followUps: [...followUps, 'What happened in the last hour?'],
    };
  }
  const window = describeWindow(slots.time, context.nowMs);
  const none = `There is no diagnosis${window}: no cause of trouble stands out.`;
  if (context.sourcesLeft === 0)
    return { text: none, followUps: ['Is anything broken?', 'What changed in the last hour?'] };
  const services = await loadServiceHealth(context, slots);
  const withStatus = (status: string): string[] =>
    services.filter((service) => selectStatus(service, slots) === status).map(({ serviceName }) => serviceName);
  const [degraded, recovering] = [withStatus('degraded'), withStatus('recovering')];
  const state =
    recovering.length > 0 && degraded.length === 0
      ? ` Recovering: ${recovering.join(', ')}.`
      : degraded.length === 0
        ? ` ${services.length === 0 ? 'No service has reported requests, so the status is unknown.' : `All ${formatCount(services.length, 'service')} ${isPast(slots.time, context.nowMs) ? 'were' : 'are'} healthy.`}`
        : ` ${isPast(slots.time, context.nowMs) ? 'Degraded' : 'Still degraded'}: ${degraded.join(', ')}.`;
  return {
    text: `${none}${state}`,
    followUps: ['What changed in the last hour?', 'What happened in the last hour?', 'Which endpoints are slowest?'],
  };
}

const DAY_MINUTES = 24 * 60;
type TimelineEventResult = IsoTimestamped<TimelineEvent>;

/** Questions about one aspect of a diagnosis: since when, how certain, impact, remedy. */

export const onsetIntent = createDiagnosisIntent(
  'onset',
  { since: 5, when: 3.5, slow: 0.5, errors: 0.5, broken: 0.5, trend: 0.6 },
  ['Since when is {service} slow?'],
  async ({ firstDetected, cause, serviceName, affectedServices }, context, slots) => {
    const events = await loadTimelineEvents(context, slots, [
      ...slots.services,
      ...(serviceName === null ? [] : [serviceName]),
    ]);
    // A diagnosis cannot look back beyond its window.
    const earlier = events.find(
      ({ type, timestamp }) => type === 'anomaly' && Date.parse(timestamp) < Date.parse(firstDetected),
    );
    const head =
      earlier === undefined
        ? `It was first detected at ${formatIsoClock(firstDetected, context.nowMs)}: ${toSingleLine(cause)}.`
        : `There were signs of it from ${formatIsoClock(earlier.timestamp, context.nowMs)} on: ${toSingleLine(cause)}. The diagnosis${describeWindow(slots.time, context.nowMs)} has it since ${formatIsoClock(firstDetected, context.nowMs)}.`;
    const affected =
      affectedServices.length === 0 || slots.services.length > 0 ? '' : `\nAffected: ${joinSome(affectedServices)}.`;
    return `${head}${describeTimeline(events, context.nowMs)}${affected}`;
  },
);

export const certaintyIntent = createDiagnosisIntent(
  'certainty',
  { certainty: 4 },
  ['How sure are you?', 'What is the evidence?'],
  ({ confidence, cause, evidence, kind }) => {
    const certainty =
      kind === 'inconclusive'
        ? `The diagnosis is inconclusive (confidence ${confidence})`
        : `Confidence is ${confidence} of 1 that this is the cause`;
    return `${certainty}: ${toSingleLine(cause)}.\nEvidence:${formatList(evidence.map(toSingleLine), 6)}`;
  },
);

export const impactIntent = createDiagnosisIntent(
  'impact',
  { impact: 4.5, many: 0.6 },
  ['Who is affected?'],
  ({ affectedServices, impactedTraceCount, cause, serviceName }) => {
    const services =
      affectedServices.length === 0 ? 'No other service is affected' : `Affected: ${joinSome(affectedServices, 10)}`;
    return `${services}; ${formatCount(impactedTraceCount, 'affected trace')}. Cause${serviceName === null ? '' : ` in ${serviceName}`}: ${toSingleLine(cause)}.`;
  },
);

export const remedyIntent = createDiagnosisIntent(
  'remedy',
  { remedy: 5 },
  ['Where should I look first?'],
  async ({ cause, evidence, sampleTraceIds, serviceName, kind }, context, slots) => {
    const place = serviceName === null ? 'Nothing stands out as the cause' : `Look at ${serviceName} first`;
    const deployment =
      kind === 'deployment'
        ? ' A deployment precedes it, so rolling that back is the quickest test.'
        : serviceName === null
          ? ''
          : await describeHarmfulDeployment(context, slots, serviceName);
    const trace = sampleTraceIds.length === 0 ? '' : `\nA trace to begin with: ${sampleTraceIds[0]}.`;
    return `${place}: ${toSingleLine(cause)}.${deployment} I only read telemetry, so the change itself is yours.\nEvidence:${formatList(evidence.map(toSingleLine), 3)}${trace}`;
  },
);

/**
 * The deployment that caused the problem may precede the window, so harmful deployments of the last day are suggested
 * as well.
 */
async function describeHarmfulDeployment(context: QueryContext, { time }: Slots, serviceName: string): Promise<string> {
  if (context.sourcesLeft === 0 || time !== undefined) return '';
  const { answer } = await context.callTool(
    getDeploymentCorrelation,
    toRangeArguments(lastMinutes(DAY_MINUTES, context.nowMs)),
  );
  const found = answer.find(
    (change) =>
      change.type === 'deployment' &&
      change.serviceName === serviceName &&
      change.performanceImpact.assessment === 'negative',
  );
  if (found === undefined) return '';
  const { detectedAt, currentVersion, performanceImpact } = found;
  return ` ${serviceName} deployed ${toSingleLine(currentVersion)} at ${formatIsoClock(detectedAt, context.nowMs)}, with latency ${performanceImpact.latencyChange} and error rate ${formatErrorRateChange(performanceImpact)}: rolling that back is the quickest test.`;
}

function createDiagnosisIntent(
  name: IntentName,
  cues: Intent['cues'],
  forms: readonly string[],
  sentence: (found: DiagnosisResult, context: QueryContext, slots: Slots) => string | Promise<string>,
): Intent {
  return {
    name,
    cues,
    forms,
    async answer(context, slots) {
      if (slots.exception !== undefined) return answerExceptionType(context, slots, slots.exception);
      const isEndAsked = name === 'onset' && slots.isBothEdges === true;
      const found = isEndAsked ? undefined : await findDiagnosis(context, withWindowAround(slots, context.nowMs));
      if (found === undefined) {
        // What is over has no diagnosis, so the question about its end is answered by the incident.
        const none = createNoDiagnosisDraft(context, withWindowAround(slots, context.nowMs));
        return name === 'onset' ? describePastIncident(context, slots, none) : none;
      }
      const about = slots.services[0] ?? found.serviceName ?? found.affectedServices[0];
      const more = about === undefined ? [] : [`Show me failed traces of ${about}`, `What changed in ${about}?`];
      return {
        text: await sentence(found, context, slots),
        followUps: [about === undefined ? 'What is the root cause?' : `Why is ${about} slow?`, ...more],
      };
    },
  };
}

/** What is over has no diagnosis any more, but the incident tells when it began and ended. */
async function describePastIncident(context: QueryContext, slots: Slots, none: Draft): Promise<Draft> {
  const time = slots.time ?? { ...lastMinutes(DAY_MINUTES, context.nowMs), last: '24 hours' };
  if (context.sourcesLeft === 0) return none;
  const { incidents } = (await context.callTool(getIncidents, toWindowArguments(time))).answer;
  const [service] = slots.services;
  const [newest] = incidents
    .filter(({ affectedServices }) => service === undefined || affectedServices.includes(service))
    .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  if (newest === undefined) return none;
  const about = service === undefined ? '' : ` for ${service}`;
  const head =
    slots.isBothEdges === true ? '' : `There is no diagnosis${about}${describeWindow(slots.time, context.nowMs)}. `;
  const which = service === undefined ? '' : ` of ${service}`;
  return {
    ...none,
    text: `${head}The newest incident${which}${describeWindow(time, context.nowMs)}: ${describeIncident(newest, context.nowMs)}.`,
  };
}

/** Timeline events of the requested services: a deployment, or an alert that fired before the diagnosis. */
async function loadTimelineEvents(
  context: QueryContext,
  { time }: Slots,
  services: readonly string[],
): Promise<readonly TimelineEventResult[]> {
  if (context.sourcesLeft === 0) return [];
  return (await context.callTool(getIncidentTimeline, toHistoryArguments(time, context.nowMs))).answer.filter(
    ({ serviceName }) => services.includes(serviceName),
  );
}

function describeTimeline(events: readonly TimelineEventResult[], nowMs: number): string {
  const lines = events.map(
    ({ timestamp, serviceName, description }) =>
      `${formatIsoClock(timestamp, nowMs)} ${serviceName}: ${toSingleLine(description)}`,
  );
  return lines.length === 0 ? '' : `\nOn the timeline:${formatList(lines)}`;
}

async function findDiagnosis(context: QueryContext, slots: Slots): Promise<DiagnosisResult | undefined> {
  const [name] = slots.services;
  return (await loadDiagnoses(context, slots)).find((found) => name === undefined || isServiceInvolved(found, name));
}

function createNoDiagnosisDraft({ nowMs }: QueryContext, slots: Slots): Draft {
  const [name] = slots.services;
  const about = name === undefined ? '' : ` for ${name}`;
  const followUps =
    name === undefined ? ['Is anything broken?'] : [`How is ${name} doing?`, `What changed in ${name}?`];
  return {
    text: `There is no diagnosis${about}${describeWindow(slots.time, nowMs)}, so I know of no problem that I could explain further.`,
    followUps: [...followUps, 'What happened in the last hour?'],
  };
}
