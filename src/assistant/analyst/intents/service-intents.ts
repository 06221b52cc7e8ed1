import {
  describeOverallAverages,
  loadDependencyFigures,
  loadDiagnoses,
  loadServiceHealth,
  type ServiceFigures,
} from '../answers/grid-lookups.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent } from './intent.js';
import {
  describeDependency,
  describeIdleServices,
  describeLikelyCause,
  summarizeDiagnosis,
} from '../answers/answer-sentences.js';
import { compareServices } from '../answers/service-comparison.js';
import type { Slots } from '../understanding/slots.js';
import { describeWindow, isPast } from '../time/window-resolver.js';
import {
  formatCount,
  formatList,
  formatMs,
  formatPercent,
  formatServiceFigures,
  joinSome,
  joinWithAnd,
  quote,
} from '../answers/answer-formatting.js';
import { formatEndpoint, loadServiceDetail } from '../answers/endpoint-lookup.js';
import { describeStatus, selectStatus, withWindowAround } from '../answers/status-sentences.js';

export const healthIntent: Intent = {
  name: 'health',
  cues: { health: 3, broken: 3.2, services: 0.5, two: 0.5 },
  forms: ['Is anything broken?', 'How is {service} doing?', 'Which services are unhealthy?'],
  async answer(context, asked) {
    const slots = withWindowAround(asked, context.nowMs);
    const [name] = slots.services;
    if (name === undefined) return answerGridHealth(context, slots);
    if (slots.isEach === true) return compareServices(context, slots);
    if (context.vocabulary.dependencies.includes(name)) {
      return {
        text: describeDependency(
          await loadDependencyFigures(context, name, slots),
          describeWindow(slots.time, context.nowMs),
        ),
        followUps: [`Which services depend on ${name}?`, 'Is anything broken?'],
      };
    }
    return answerServiceHealth(context, slots);
  },
};

async function answerGridHealth(context: QueryContext, slots: Slots): Promise<Draft> {
  const averages = await describeOverallAverages(context, slots);
  const services = await loadServiceHealth(context, slots);
  const window = describeWindow(slots.time, context.nowMs);
  if (services.length === 0)
    return {
      text: `No service has reported requests${window} or in the day before, so the status is unknown.`,
      followUps: ['What happened in the last 24 hours?', 'Which services are there?'],
    };
  const hasStatus =
    (...wanted: string[]) =>
    (service: ServiceFigures) =>
      wanted.includes(selectStatus(service, slots));
  const degraded = sortWorstFirst(services.filter(hasStatus('degraded')));
  const recovering = describeRecovering(services.filter(hasStatus('recovering')));
  const cause = await describeCause(context, slots, degraded.length > 0);
  if (degraded.length === 0)
    return {
      text: `${averages}${recovering === '' ? describeAllHealthy(services, slots, window) : `No service is degraded any more.${recovering}`}${cause}`,
      followUps: ['What changed in the last hour?', 'Are there any alerts?', 'Which endpoints are slowest?'],
    };
  const others = services.filter(hasStatus('healthy')).map(({ serviceName }) => serviceName);
  const rest =
    others.length === 0
      ? ''
      : `\nThe other ${others.length === 1 ? 'one is' : `${others.length} are`} healthy: ${joinSome(others)}.`;
  const text = `${averages}${degraded.length} of ${formatCount(services.length, 'service')} ${isPast(slots.time, context.nowMs) ? (degraded.length === 1 ? 'was' : 'were') : degraded.length === 1 ? 'is' : 'are'} degraded${window}:${formatList(degraded.map(formatService))}${recovering}${rest}${cause}`;
  return {
    text,
    followUps: [
      `Why is ${degraded[0].serviceName} degraded?`,
      'What changed in the last hour?',
      `Show me failed traces of ${degraded[0].serviceName}`,
      'Are there any alerts?',
    ],
  };
}

/** One or more named services. */
async function answerServiceHealth(context: QueryContext, slots: Slots): Promise<Draft> {
  const services = await loadServiceHealth(context, slots);
  const window = describeWindow(slots.time, context.nowMs);
  const lines = slots.services.map((name) => {
    const service = services.find(({ serviceName }) => serviceName === name);
    return service === undefined
      ? `${name} sent nothing${window} or in the day before.`
      : `${name} ${describeStatus(service, slots, context.nowMs)}: ${formatServiceFigures(service)}.`;
  });
  const [name] = slots.services;
  const isWell = services
    .filter(({ serviceName }) => slots.services.includes(serviceName))
    .every((service) => service.causeOf === undefined && ['healthy', 'unknown'].includes(selectStatus(service, slots)));
  const cause = isWell ? '' : await describeLikelyCause(context, slots, slots.services);
  const first = isWell ? `Tell me more about ${name}` : `Why is ${name} degraded?`;
  return {
    text: `${lines.join('\n')}${cause}`,
    followUps: [first, `Which errors does ${name} have?`, `What does ${name} depend on?`, `What changed in ${name}?`],
  };
}

/** The likeliest cause overall, if there is energy left. */
async function describeCause(context: QueryContext, slots: Slots, isDegraded: boolean): Promise<string> {
  if (context.sourcesLeft === 0) return '';
  const [detail] = await loadDiagnoses(context, slots);
  if (detail === undefined)
    return isDegraded ? '\nThere is no diagnosis for it.' : ' There is no diagnosis of any trouble.';
  return `\n${detail.kind === 'inconclusive' ? 'The diagnosis is inconclusive' : 'Most likely cause'}: ${summarizeDiagnosis(detail, context.nowMs)}.`;
}

/** On a separate line; "" without any. */
function describeRecovering(services: readonly ServiceFigures[]): string {
  const names = joinSome(services.map(({ serviceName }) => serviceName));
  return services.length === 0 ? '' : `\nRecovering, with requests within the thresholds again: ${names}.`;
}

function describeAllHealthy(all: readonly ServiceFigures[], slots: Slots, window: string): string {
  const silence = describeIdleServices(all);
  const services = all.filter((service) => selectStatus(service, slots) === 'healthy');
  if (services.length === 0) return `No service is degraded${window}.${silence}`;
  if (services.length < all.length)
    return `All ${formatCount(services.length, 'service')} with recent requests are healthy${window}: ${joinSome(services.map(({ serviceName }) => serviceName))}.${silence}`;
  const names =
    services.length === 1
      ? `${services[0].serviceName}, the only service, is healthy`
      : `All ${services.length} services are healthy`;
  return services.length <= 5 && services.length > 1
    ? `${names}${window}: ${joinWithAnd(services.map(({ serviceName }) => serviceName))}.${silence}`
    : `${names}${window}.${silence}`;
}

function sortWorstFirst(services: readonly ServiceFigures[]): ServiceFigures[] {
  return [...services].sort((a, b) => b.errorRate - a.errorRate || a.apdex - b.apdex);
}

function formatService(service: ServiceFigures): string {
  return `${service.serviceName}: ${formatServiceFigures(service)}`;
}

export const serviceDetailIntent: Intent = {
  name: 'detail',
  cues: { detail: 3, endpoints: 2.5, nameOnly: 3, named: 1, help: 1.2 },
  forms: ['Tell me more about {service}', 'Which endpoints does {service} have?'],
  async answer(context, slots) {
    const [name] = slots.services;
    if (name === undefined) return healthIntent.answer(context, slots);
    const window = describeWindow(slots.time, context.nowMs);
    if (context.vocabulary.dependencies.includes(name)) {
      return {
        text: describeDependency(await loadDependencyFigures(context, name, slots), window),
        followUps: [`Which services depend on ${name}?`, `Is ${name} slow?`],
      };
    }
    const detail = await loadServiceDetail(context, name, slots);
    if (detail === undefined)
      return {
        text: `${name} has no figures${window}.`,
        followUps: ['Which services are there?', 'Is anything broken?'],
      };
    const { errorRate, apdex, requestCount, endpoints, topErrors, dependencies } = detail;
    const parts = [
      `${name} ${describeStatus(detail, slots, context.nowMs)}: error rate ${formatPercent(errorRate)}, Apdex ${apdex}, ${formatCount(requestCount, 'request')}.`,
      endpoints.length === 0 ? '' : `Endpoints:${formatList(endpoints.map(formatEndpoint), slots.limit)}`,
      topErrors.length === 0
        ? ''
        : `Exceptions:${formatList(
            topErrors.map(
              ({ exceptionType, message, count }) =>
                `${exceptionType}${message === '' ? '' : ` ${quote(message)}`}: ${formatCount(count, 'time')}`,
            ),
            3,
          )}`,
      dependencies.length === 0
        ? ''
        : `Depends on:${formatList(dependencies.map((each) => `${each.name} (${selectStatus(each, slots)}): error rate ${formatPercent(each.errorRate)}, ${formatMs(each.avgLatencyMs)} on average`))}`,
    ];
    return {
      text: parts.filter((part) => part !== '').join('\n'),
      followUps: [
        `Why is ${name} slow?`,
        `Show me failed traces of ${name}`,
        `What changed in ${name}?`,
        `Which services call ${name}?`,
      ],
    };
  },
};

const MAX_NAMES = 25;

export const servicesIntent: Intent = {
  name: 'services',
  cues: { services: 2, show: 1, many: 1 },
  forms: ['Which services are there?'],
  async answer(context, slots) {
    const all = await loadServiceHealth(context, slots);
    if (all.length === 0)
      return {
        text: 'No service has reported requests in the last day.',
        followUps: ['What can you do?', 'How many prompts do I have left?'],
      };
    const [first] = all;
    return {
      text: `${formatCount(all.length, 'service')}: ${joinSome(
        all.map(({ serviceName }) => serviceName),
        MAX_NAMES,
      )}.`,
      followUps: ['Is anything broken?', 'Show me the service map', `Tell me more about ${first.serviceName}`],
    };
  },
};
