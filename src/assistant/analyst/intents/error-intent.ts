import type { ServiceDetail } from '../../../diagnostics/diagnostic-results.js';
import { answerFailureOccurrence } from '../answers/failed-trace-answers.js';
import { loadServiceDetail } from '../answers/endpoint-lookup.js';
import { answerExceptionType } from '../answers/exception-answers.js';
import {
  describePeak,
  loadDependencyFigures,
  loadServiceHealth,
  type ServiceFigures,
} from '../answers/grid-lookups.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent } from './intent.js';
import { describeDependency, describeLikelyCause, describeRanking, rankServices } from '../answers/answer-sentences.js';
import type { Slots } from '../understanding/slots.js';
import { compareServices } from '../answers/service-comparison.js';
import { getTrendAnalysis } from '../../tools/diagnostic-tools.js';
import { describeWindow, toWindowArguments } from '../time/window-resolver.js';
import { formatCount, formatList, formatPercent, quote, joinSome } from '../answers/answer-formatting.js';
import { answerOutcomes } from './outcome-intent.js';

/** Services whose exceptions are queried if none is named. */
const MAX_LOOKED_AT = 3;

export const errorsIntent: Intent = {
  name: 'errors',
  cues: { errors: 3.5, failed: 2, oneFailure: 3, peak: 1.5, many: 0.5, most: 0.5, services: 0.5, operation: 1 },
  forms: [
    'Which errors does {service} have?',
    'What is the error rate of {service}?',
    'Which service has the most errors?',
  ],
  async answer(context, slots) {
    if (slots.exception !== undefined) return answerExceptionType(context, slots, slots.exception);
    if (slots.edge !== undefined) return answerFailureOccurrence(context, slots, slots.edge);
    if (slots.services.length > 1) return compareServices(context, slots);
    const [name] = slots.services;
    if (slots.operation !== undefined || (slots.thing !== undefined && slots.services.length === 0))
      return answerOutcomes(context, slots);
    if (name === undefined) return answerGridErrors(context, slots);
    if (!context.vocabulary.dependencies.includes(name)) return answerServiceErrors(context, slots, name);
    return {
      text: describeDependency(
        await loadDependencyFigures(context, name, slots),
        describeWindow(slots.time, context.nowMs),
      ),
      followUps: [`Which services depend on ${name}?`, 'What is the root cause?'],
    };
  },
};

async function answerServiceErrors(context: QueryContext, slots: Slots, name: string): Promise<Draft> {
  const window = describeWindow(slots.time, context.nowMs);
  const detail = await loadServiceDetail(context, name, slots);
  const followUps = [
    `Why is ${name} failing?`,
    `Show me failed traces of ${name}`,
    `Show me error logs of ${name}`,
    `What changed in ${name}?`,
  ];
  if (detail === undefined)
    return {
      text: `${name} has no figures${window}.`,
      followUps: [`When was ${name} last deployed?`, 'Is anything broken?'],
    };
  const { errorRate, requestCount } = detail;
  const rate =
    requestCount === 0
      ? `${name} had no requests${window}`
      : `${formatPercent(errorRate)} of ${formatCount(requestCount, 'request')} to ${name} failed${window}`;
  return {
    text: `${describeBoundVerdict(detail, slots)}${rate}.${describeExceptions(detail, slots)}${describeFailingEndpoints(detail)}${await describePeak(context, slots, name, 'errors')}${errorRate > 0 ? await describeLikelyCause(context, slots, [name]) : ''}`,
    followUps,
  };
}

/** Answers "is the error rate above 5 %?"; "" without a bound. */
function describeBoundVerdict(
  detail: Pick<ServiceDetail, 'errorRate' | 'requestCount' | 'serviceName'>,
  slots: Slots,
): string {
  if (!isBounded(slots)) return '';
  return `${isWithinBounds(detail, slots) ? 'Yes, the error rate is' : 'No, the error rate is not'}${describeBounds(slots)}: `;
}

function describeExceptions({ topErrors }: Pick<ServiceDetail, 'topErrors'>, { limit }: Slots): string {
  if (topErrors.length === 0) return ' It recorded no exceptions.';
  return `\nIts exceptions:${formatExceptions({ topErrors }, limit)}`;
}

function formatExceptions({ topErrors }: Pick<ServiceDetail, 'topErrors'>, limit: number | undefined): string {
  return formatList(
    topErrors.map(
      ({ exceptionType, message, count, percentage }) =>
        `${exceptionType}${message === '' ? '' : ` ${quote(message)}`}: ${formatCount(count, 'time')}, ${formatPercent(percentage)}`,
    ),
    limit,
  );
}

function describeFailingEndpoints({ endpoints }: Pick<ServiceDetail, 'endpoints'>): string {
  const failing = endpoints.filter(({ errorRate }) => errorRate > 0).sort((a, b) => b.errorRate - a.errorRate);
  return failing.length === 0
    ? ''
    : `\nFailing endpoints:${formatList(
        failing.map(
          ({ operation, errorRate, requestCount }) =>
            `${operation}: ${formatPercent(errorRate)} of ${formatCount(requestCount, 'request')}`,
        ),
        3,
      )}`;
}

/** Exceptions are recorded in the service that raised them, which need not be the one with the most failures. */
async function describeExceptionsByService(
  context: QueryContext,
  services: readonly ServiceFigures[],
  slots: Slots,
): Promise<string> {
  let text = '';
  for (const { serviceName } of services) {
    const detail = context.sourcesLeft === 0 ? undefined : await loadServiceDetail(context, serviceName, slots);
    if (detail === undefined) continue;
    text += describeFailingEndpoints(detail).replace('Failing endpoints', `Failing endpoints of ${serviceName}`);
    if (detail.topErrors.length > 0) text += `\nIn ${serviceName}:${formatExceptions(detail, 3)}`;
  }
  return text;
}

async function describeOverallRate(context: QueryContext, { time }: Slots): Promise<string> {
  const {
    errorRate: { current, baseline, trend },
  } = (await context.callTool(getTrendAnalysis, toWindowArguments(time))).answer;
  return `Over all services ${formatPercent(current)} of the requests failed${describeWindow(time, context.nowMs)}, ${formatPercent(baseline)} in the hour before: ${trend}.\n`;
}

/** Error rates have two decimals, so for more requests than this 0 % does not prove that nothing failed. */
const MAX_EXACT_REQUESTS = 10_000;

function describeNoFailures(services: readonly ServiceFigures[], window: string): string {
  if (services.length === 0) return `No request failed${window}: no service has sent telemetry.`;
  return services.every(({ requestCount }) => requestCount <= MAX_EXACT_REQUESTS)
    ? `No request failed${window}.`
    : `The error rate of every service is ${formatPercent(0)}${window}.`;
}

function describeServicesWithoutErrors(services: readonly ServiceFigures[]): string {
  const names = services
    .filter(({ requestCount, errorRate }) => requestCount > 0 && errorRate === 0)
    .map(({ serviceName }) => serviceName);
  return names.length === 0 ? '' : `\nError rate ${formatPercent(0)}: ${joinSome(names, 10)}.`;
}

function isBounded({ minErrorRate, maxErrorRate }: Slots): boolean {
  return (minErrorRate ?? maxErrorRate) !== undefined;
}

function isWithinBounds(
  { errorRate, requestCount }: Pick<ServiceFigures, 'errorRate' | 'requestCount'>,
  slots: Slots,
): boolean {
  const { minErrorRate = 0, maxErrorRate = 100, isMinErrorRateExcluded, isMaxErrorRateExcluded } = slots;
  const isEnough = isMinErrorRateExcluded === true ? errorRate > minErrorRate : errorRate >= minErrorRate;
  const isLittle = isMaxErrorRateExcluded === true ? errorRate < maxErrorRate : errorRate <= maxErrorRate;
  return !isBounded(slots) || (requestCount > 0 && isEnough && isLittle);
}

/** Such as ` of 5 % or more and below 10 %`. */
function describeBounds({ minErrorRate, maxErrorRate, isMinErrorRateExcluded, isMaxErrorRateExcluded }: Slots): string {
  const describe = (rate: number | undefined, exclusive: string, inclusive: string, isExcluded = false): string[] =>
    rate === undefined
      ? []
      : [isExcluded ? `${exclusive} ${formatPercent(rate)}` : `of ${formatPercent(rate)} ${inclusive}`];
  const bounds = [
    ...describe(minErrorRate, 'above', 'or more', isMinErrorRateExcluded),
    ...describe(maxErrorRate, 'below', 'or less', isMaxErrorRateExcluded),
  ];
  return bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`;
}

function createNoServiceDraft(slots: Slots, nowMs: number): Draft {
  return {
    text: `No service has an error rate${describeBounds(slots)}${describeWindow(slots.time, nowMs)}.`,
    followUps: ['Which service has the most errors?', 'Is anything broken?'],
  };
}

async function answerGridErrors(context: QueryContext, slots: Slots): Promise<Draft> {
  const isPart = slots.excluded !== undefined || isBounded(slots);
  const overall =
    slots.measure === 'errorRate' && slots.isReversed !== true && !isPart
      ? await describeOverallRate(context, slots)
      : '';
  const services = (await loadServiceHealth(context, slots)).filter((service) => isWithinBounds(service, slots));
  if (services.length === 0 && isBounded(slots)) return createNoServiceDraft(slots, context.nowMs);
  const failing = rankServices(services, 'errors').filter(({ errorRate }) => errorRate > 0);
  const [worst] = failing;
  const window = describeWindow(slots.time, context.nowMs);
  if (worst === undefined)
    return {
      text: `${overall}${describeNoFailures(services, window)}`,
      followUps: ['Is anything broken?', 'Show me error logs', 'What changed in the last hour?'],
    };
  const top = describeRanking(slots.isReversed === true ? services : failing, 'errors', slots, context.nowMs);
  const rest = slots.isReversed === true ? '' : describeServicesWithoutErrors(services);
  return {
    text: `${overall}${isBounded(slots) ? `Services with an error rate${describeBounds(slots)}:\n` : ''}${top}${rest}${await describeExceptionsByService(context, failing.slice(0, MAX_LOOKED_AT), slots)}`,
    followUps: [
      `Why is ${worst.serviceName} failing?`,
      `Show me failed traces of ${worst.serviceName}`,
      'Are errors increasing?',
      'What changed in the last hour?',
    ],
  };
}
