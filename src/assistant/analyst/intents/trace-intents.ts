import { hasCode } from '../../../errors.js';
import {
  getTrace,
  getTraceErrors,
  getTraces,
  type GetTracesArguments,
  getTraceSpans,
  type GetTracesResult,
} from '../../tools/trace-tools.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent } from './intent.js';
import {
  describeInterval,
  formatIsoClock,
  lastMinutes,
  resolveSearchInterval,
  toRangeArguments,
} from '../time/window-resolver.js';
import {
  formatCount,
  formatList,
  formatMs,
  formatName,
  formatPercent,
  joinSome,
  joinWithAnd,
  quote,
} from '../answers/answer-formatting.js';
import { answerFailureOccurrence } from '../answers/failed-trace-answers.js';
import { resolveEndpoint } from '../answers/endpoint-lookup.js';
import { loadServiceHealth } from '../answers/grid-lookups.js';
import {
  answerSuccessfulTraces,
  findSlowestTraces,
  type OrderedTraces,
  resolveSlowThreshold,
} from '../answers/trace-search.js';
import type { Slots, TimeInterval } from '../understanding/slots.js';
import { describeTags, formatTrace } from '../answers/answer-sentences.js';

export const traceIntent: Intent = {
  name: 'trace',
  cues: { traceId: 8, spanId: 8, traces: 0.5 },
  forms: [],
  async answer(context, { traceId, spanId }) {
    const followUps = ['Show me failed traces', 'Is anything broken?'];
    if (traceId === undefined && spanId === undefined)
      return { text: 'Which trace do you mean? Tell me its id.', followUps };
    try {
      if (traceId !== undefined) return await answerTrace(context, traceId);
      return await answerSpan(context, spanId ?? '');
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
      return { text: `There is no ${traceId === undefined ? `span ${spanId}` : `trace ${traceId}`}.`, followUps };
    }
  },
};

async function answerTrace(context: QueryContext, traceId: string): Promise<Draft> {
  const { spans } = await context.callTool(getTraceSpans, { traceId });
  const [first] = spans;
  if (first === undefined)
    return {
      text: `Trace ${traceId} is known from its logs alone.`,
      followUps: [`Show me the logs of trace ${traceId}`, 'Is anything broken?'],
    };
  const services = [...new Set(spans.map(({ serviceName }) => serviceName))];
  const failed = spans.filter(({ status }) => status === 'ERROR').length;
  const head = `Trace ${traceId}: ${formatCount(spans.length, 'span')} in ${joinSome(services)}, began at ${formatIsoClock(first.startTime, context.nowMs)} with ${first.serviceName} ${first.operationName} (${formatMs(first.duration)}, ${first.status}); ${failed === 0 ? 'no span failed' : `${formatCount(failed, 'span')} failed`}.`;
  const longest = [...spans]
    .sort((a, b) => b.duration - a.duration)
    .map(
      ({ serviceName, operationName, duration, status }) =>
        `${serviceName} ${operationName}: ${formatMs(duration)}, ${status}`,
    );
  const errors = failed === 0 || context.sourcesLeft === 0 ? '' : await describeExceptions(context, traceId);
  return {
    text: `${head}\nIts longest spans:${formatList(longest)}${errors}`,
    followUps: [`Show me the logs of trace ${traceId}`, `How is ${first.serviceName} doing?`],
    about: { services: services.slice(0, 1) },
  };
}

async function describeExceptions(context: QueryContext, traceId: string): Promise<string> {
  const { errors } = await context.callTool(getTraceErrors, { traceId });
  return errors.length === 0
    ? ''
    : `\nExceptions:${formatList(
        errors.map(
          ({ serviceName, exceptionType, message }) =>
            `${serviceName}: ${exceptionType}${message === '' ? '' : ` ${quote(message)}`}`,
        ),
        3,
      )}`;
}

async function answerSpan(context: QueryContext, spanId: string): Promise<Draft> {
  const span = await context.callTool(getTrace, { spanId });
  const { serviceName, operationName, spanKind, status, statusMessage, duration, startTime, traceId } = span;
  const message = statusMessage === '' ? '' : ` ${quote(statusMessage)}`;
  const text = `Span ${spanId} of trace ${traceId}: ${serviceName} ${operationName} (${spanKind}), ${formatMs(duration)}, ${status}${message}, began at ${formatIsoClock(startTime, context.nowMs)}.`;
  return {
    text,
    followUps: [`Show me trace ${traceId}`, `How is ${serviceName} doing?`],
    about: { services: [serviceName] },
  };
}

/** Used if nothing was found in the default window and no time was given. */
const WIDER_MINUTES = 24 * 60;

const DEFAULT_ITEMS = 5;

export const tracesIntent: Intent = {
  name: 'traces',
  cues: { traces: 5, failed: 3, succeeded: 3, noFailure: 3, requests: 0.5, oneSlowest: 5, show: 1, duration: 3 },
  forms: ['Show me failed traces of {service}', 'Show me traces slower than 500 ms in the last hour'],
  async answer(context, slots) {
    if (slots.subject !== undefined) return createUnsupportedSearchDraft(slots.subject);
    if (slots.edge !== undefined) return answerFailureOccurrence(context, slots, slots.edge);
    if (slots.status === 'OK') return answerSuccessfulTraces(context, slots);
    const resolved = await resolveEndpoint(context, slots);
    if (resolved.draft !== undefined) return resolved.draft;
    const searched = await resolveSlowThreshold(context, resolved.slots);
    const usual = resolveSearchInterval(slots.time, context.nowMs);
    const first = await searchTraces(context, searched, usual);
    const isWider = first.totalCount === 0 && slots.time === undefined && context.sourcesLeft > 0;
    const range = isWider ? { ...lastMinutes(WIDER_MINUTES, context.nowMs), last: '24 hours' } : usual;
    const found = isWider ? await searchTraces(context, searched, range) : first;
    const note = isWider ? `None${describeInterval(usual, context.nowMs)}. ` : '';
    const [name] = searched.services;
    return {
      text: `${note}${describeFoundTraces(found, searched, range, context.nowMs)}${await describeFailureShare(context, searched, range)}`,
      followUps: [
        ...(found.items[0] === undefined ? [] : [`Show me trace ${found.items[0].traceId}`]),
        ...(name === undefined
          ? ['What is the root cause?', 'Which service has the most errors?']
          : [`Why is ${name} slow?`, `Which errors does ${name} have?`, `Show me the logs of ${name}`]),
      ],
      ...(searched.status !== undefined && { about: { status: searched.status } }),
    };
  },
};

/** Declines the search, rather than returning unrelated traces. */
function createUnsupportedSearchDraft(subject: string): Draft {
  const words = subject.replace(/^.*[\s#:=]/, '');
  return {
    text: `I cannot search traces for ${quote(subject)}: only by service, operation, status, duration and time. I can search the logs for it, which name their traces.`,
    followUps: [`Search logs containing "${words}"`, 'Show me failed traces'],
  };
}

/** Relates the number of failures to the total number of requests. */
async function describeFailureShare(
  context: QueryContext,
  { services: [name], status, measure, operation, minDurationMs }: Slots,
  range: TimeInterval,
): Promise<string> {
  if (
    name === undefined ||
    status !== 'ERROR' ||
    measure !== 'requests' ||
    operation !== undefined ||
    minDurationMs !== undefined ||
    context.sourcesLeft === 0
  )
    return '';
  const service = (await loadServiceHealth(context, { time: range })).find(({ serviceName }) => serviceName === name);
  return service === undefined
    ? ''
    : `\n${name} had ${formatCount(service.requestCount, 'request')} in all, ${formatPercent(service.errorRate)} of them failed.`;
}

async function searchTraces(context: QueryContext, slots: Slots, range: TimeInterval): Promise<OrderedTraces> {
  const { limit = DEFAULT_ITEMS } = slots;
  if (slots.isSlowest !== true) return { ...(await findTraces(context, slots, range, limit)), order: 'newest' };
  return findSlowestTraces(limit, context.sourcesLeft, slots, (narrowed, pageSize) =>
    findTraces(context, narrowed, range, pageSize),
  );
}

function findTraces(
  context: QueryContext,
  slots: Slots,
  range: TimeInterval,
  pageSize: number,
): Promise<GetTracesResult> {
  const {
    services: [serviceName],
    operation: operationName,
    status,
    minDurationMs: minDuration,
    maxDurationMs: maxDuration,
    tags,
  } = slots;
  const conditions: Omit<GetTracesArguments, 'rangeStart' | 'rangeEnd'> = {
    ...(serviceName !== undefined && { serviceName }),
    ...(operationName !== undefined && { operationName }),
    ...(status !== undefined && { status }),
    ...(minDuration !== undefined && { minDuration }),
    ...(maxDuration !== undefined && { maxDuration }),
    ...(tags !== undefined && { tags }),
  };
  return context.callTool(getTraces, { ...toRangeArguments(range), ...conditions, page: 1, pageSize });
}

function describeFoundTraces(
  { items, totalCount, order }: OrderedTraces,
  slots: Slots,
  range: TimeInterval,
  nowMs: number,
): string {
  const what = `${slots.status === 'ERROR' ? 'failed ' : ''}${totalCount === 1 ? 'trace' : 'traces'}`;
  const {
    services: [name],
    operation,
    minDurationMs,
    maxDurationMs,
  } = slots;
  const conditions = [
    name === undefined ? '' : `of ${name}`,
    operation === undefined ? '' : `in ${formatName(operation)}`,
    minDurationMs === undefined ? '' : `of ${formatMs(minDurationMs)} or more`,
    maxDurationMs === undefined ? '' : `of ${formatMs(maxDurationMs)} or less`,
    describeTags(slots),
  ].filter((condition) => condition !== '');
  const head = `${totalCount === 0 ? 'No' : totalCount} ${what}${conditions.length === 0 ? '' : ` ${joinWithAnd(conditions)}`}${describeInterval(range, nowMs)}`;
  if (totalCount === 0) return `${head}.`;
  const lines = items.map((item) => formatTrace(item, nowMs));
  return `${head}${totalCount > items.length ? `, the ${order} ${items.length === 1 ? 'one' : formatCount(items.length, 'of them', 'of them')}` : ''}:${formatList(lines, items.length)}`;
}
