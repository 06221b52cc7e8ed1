import type { TimelineEvent } from '../../../diagnostics/answers.js';
import { getDeploymentCorrelation } from '../../tools/get-deployment-correlation.js';
import { getIncidentTimeline } from '../../tools/get-incident-timeline.js';
import type { Presented } from '../../tools/presented.js';
import { exceptionsByType } from '../exceptions-by-type.js';
import { concerns, diagnosesOf, type Found } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent, IntentName } from '../intent.js';
import { plain } from '../sentences.js';
import type { Slots } from '../slots.js';
import { clockOf, during, historyOf, lastMinutes, spelled } from '../when.js';
import { counted, listed, some } from '../wording.js';

const DAY_MINUTES = 24 * 60;

type Sign = Presented<TimelineEvent>;

/** Questions about one side of a diagnosis: since when, how sure, how far, what to do. */

export const onset = aspect('onset', { since: 5, when: 3.5, slow: 0.5, errors: 0.5, broken: 0.5, trend: 0.6 }, ['Since when is {service} slow?'], async ({ firstDetected, cause, serviceName, affectedServices }, inquiry, slots) => {
  const signs = await signsOf(inquiry, slots, [...slots.services, ...(serviceName === null ? [] : [serviceName])]);
  // A diagnosis sees no further back than its window.
  const earlier = signs.find(({ type, timestamp }) => type === 'anomaly' && Date.parse(timestamp) < Date.parse(firstDetected));
  const head = earlier === undefined
    ? `It was first detected at ${clockOf(firstDetected, inquiry.nowMs)}: ${plain(cause)}.`
    : `There were signs of it from ${clockOf(earlier.timestamp, inquiry.nowMs)} on: ${plain(cause)}. The diagnosis${during(slots.time, inquiry.nowMs)} has it since ${clockOf(firstDetected, inquiry.nowMs)}.`;
  const affected = affectedServices.length === 0 || slots.services.length > 0 ? '' : `\nAffected: ${some(affectedServices)}.`;
  return `${head}${onTimeline(signs, inquiry.nowMs)}${affected}`;
});

export const certainty = aspect('certainty', { certainty: 4 }, ['How sure are you?', 'What is the evidence?'], ({ confidence, cause, evidence, kind }) => {
  const sure = kind === 'inconclusive' ? `The diagnosis is inconclusive (confidence ${confidence})` : `Confidence is ${confidence} of 1 that this is the cause`;
  return `${sure}: ${plain(cause)}.\nEvidence:${listed(evidence.map(plain), 6)}`;
});

export const impact = aspect('impact', { impact: 4.5, many: 0.6 }, ['Who is affected?'], ({ affectedServices, impactedTraceCount, cause, serviceName }) => {
  const services = affectedServices.length === 0 ? 'No other service is affected' : `Affected: ${some(affectedServices, 10)}`;
  return `${services}; ${counted(impactedTraceCount, 'trace')} ${impactedTraceCount === 1 ? 'was' : 'were'} touched. Cause${serviceName === null ? '' : ` in ${serviceName}`}: ${plain(cause)}.`;
});

export const remedy = aspect('remedy', { remedy: 5 }, ['Where should I look first?'], async ({ cause, evidence, sampleTraceIds, serviceName, kind }, inquiry, slots) => {
  const place = serviceName === null ? 'Nothing stands out as the cause' : `Look at ${serviceName} first`;
  const deployment = kind === 'deployment' ? ' A deployment precedes it, so rolling that back is the quickest test.' : serviceName === null ? '' : await worseSince(inquiry, slots, serviceName);
  const trace = sampleTraceIds.length === 0 ? '' : `\nA trace to begin with: ${sampleTraceIds[0]}.`;
  return `${place}: ${plain(cause)}.${deployment} I only read telemetry, so the change itself is yours.\nEvidence:${listed(evidence.map(plain), 3)}${trace}`;
});

/** A window may begin after the deployment that did it: one of the last day that made things worse is worth a test too. */
async function worseSince(inquiry: Inquiry, { time }: Slots, serviceName: string): Promise<string> {
  if (inquiry.left === 0 || time !== undefined) return '';
  const { answer } = await inquiry.ask(getDeploymentCorrelation, spelled(lastMinutes(DAY_MINUTES, inquiry.nowMs)));
  const found = answer.find((change) => change.type === 'deployment' && change.serviceName === serviceName && change.performanceImpact.assessment === 'negative');
  if (found === undefined) return '';
  const { detectedAt, currentVersion, performanceImpact: { latencyChange, errorRateChange } } = found;
  return ` ${serviceName} deployed ${plain(currentVersion)} at ${clockOf(detectedAt, inquiry.nowMs)}, with latency ${latencyChange} and error rate ${errorRateChange}: rolling that back is the quickest test.`;
}

function aspect(name: IntentName, cues: Intent['cues'], forms: readonly string[], sentence: (found: Found, inquiry: Inquiry, slots: Slots) => string | Promise<string>): Intent {
  return {
    name,
    cues,
    forms,
    async answer(inquiry, slots) {
      if (slots.exception !== undefined) return exceptionsByType(inquiry, slots, slots.exception);
      const found = await diagnosed(inquiry, slots);
      if (found === undefined) return none(inquiry, slots);
      const about = slots.services[0] ?? found.serviceName ?? found.affectedServices[0];
      const more = about === undefined ? [] : [`Show me failed traces of ${about}`, `What changed in ${about}?`];
      return { text: await sentence(found, inquiry, slots), followUps: [about === undefined ? 'What is the root cause?' : `Why is ${about} slow?`, ...more] };
    },
  };
}

/** What the timeline tells of the services in question: a deployment, or an alert that was faster than the diagnosis. */
async function signsOf(inquiry: Inquiry, { time }: Slots, services: readonly string[]): Promise<readonly Sign[]> {
  if (inquiry.left === 0) return [];
  return (await inquiry.ask(getIncidentTimeline, historyOf(time, inquiry.nowMs))).answer.filter(({ serviceName }) => services.includes(serviceName));
}

function onTimeline(signs: readonly Sign[], nowMs: number): string {
  const lines = signs.map(({ timestamp, serviceName, description }) => `${clockOf(timestamp, nowMs)} ${serviceName}: ${plain(description)}`);
  return lines.length === 0 ? '' : `\nOn the timeline:${listed(lines)}`;
}

async function diagnosed(inquiry: Inquiry, slots: Slots): Promise<Found | undefined> {
  const [name] = slots.services;
  return (await diagnosesOf(inquiry, slots)).find((found) => name === undefined || concerns(found, name));
}

function none({ nowMs }: Inquiry, slots: Slots): Draft {
  const [name] = slots.services;
  const about = name === undefined ? '' : ` for ${name}`;
  const followUps = name === undefined ? ['Is anything broken?'] : [`How is ${name} doing?`, `What changed in ${name}?`];
  return { text: `There is no diagnosis${about}${during(slots.time, nowMs)}, so nothing is known to be wrong that I could tell more about.`, followUps: [...followUps, 'What happened in the last hour?'] };
}
