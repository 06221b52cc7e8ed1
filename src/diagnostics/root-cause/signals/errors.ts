import { UNNAMED } from '../../rollups.js';
import type { Finding } from '../finding.js';
import { splitsOfMore, type Splits } from '../screen.js';
import type { EdgeSeries, Series, ServiceSeries } from '../series.js';
import { atSplit, watch, type Signal } from '../signal.js';
import { surpriseOf, type Split } from '../statistics.js';
import { count, percent } from '../wording.js';

/** Calls that fail at the caller alone may be the fault of either end, or of neither. */
const REFUSED_WEIGHT = 0.7;

/** Something that can fail, and how often it did. */
interface Failing {
  readonly signal: Finding['signal'];
  readonly culprit: string;
  readonly operation?: string;
  readonly what: string;
  readonly weight: number;
  readonly failed: Float64Array;
  readonly made: Float64Array;
}

/** Errors that began in a service: spans with status ERROR none of whose children has it. Others only pass them on. */
export const errors: Signal = (series, { first }) => {
  const candidates = [...ownErrors(series), ...dependencyErrors(series), ...refusedCalls(series)];
  const watched = candidates.flatMap((each) => watch(each, splitsOfFailure(each, first)));
  return (split) => atSplit(watched, split).flatMap((failing) => findingOf(failing, split) ?? []);
};

function splitsOfFailure({ failed, made }: Failing, first: number): Splits | undefined {
  return splitsOfMore(failed, made, first);
}

function ownErrors({ services }: Series): Failing[] {
  return services.flatMap(({ service, operations }) =>
    operations
      .filter((operation) => !isCall(operation))
      .map(({ operation, originErrors, count: made }) => ({ signal: 'errors', culprit: service, operation, what: `${operation} fails by itself`, weight: 1, failed: originErrors, made }) as const),
  );
}

function dependencyErrors({ edges }: Series): Failing[] {
  return edges.filter(({ virtual }) => virtual).map(({ source, target, errors: failed, count: made }) => {
    const isNamed = target !== UNNAMED;
    const what = `Calls of ${source} to ${isNamed ? target : 'what it depends on'} fail`;
    return { signal: 'dependency errors', culprit: isNamed ? target : source, what, weight: 1, failed, made };
  });
}

/** Calls that fail while who was called knows of no error: refused, cut off, or badly made. */
function refusedCalls({ services, edges }: Series): Failing[] {
  return services.map((service) => {
    const calls = service.operations.filter(isCall);
    const failed = summed(calls.map(({ originErrors }) => originErrors), service);
    const unanswered = summed(edges.filter(({ source, virtual }: EdgeSeries) => virtual && source === service.service).map((edge) => edge.errors), service);
    const what = `Calls of ${service.service} fail that who is called answers without error`;
    return { signal: 'errors', culprit: service.service, what, weight: REFUSED_WEIGHT, failed: failed.map((each, i) => Math.max(0, each - unanswered[i])), made: summed(calls.map((call) => call.count), service) };
  });
}

function isCall({ kind }: { readonly kind: string }): boolean {
  return kind === 'CLIENT' || kind === 'PRODUCER';
}

function summed(parts: readonly Float64Array[], { requests }: ServiceSeries): Float64Array {
  const sum = new Float64Array(requests.length);
  for (const part of parts) for (let i = 0; i < sum.length; i++) sum[i] += part[i];
  return sum;
}

function findingOf({ signal, culprit, operation, what, weight, failed, made }: Failing, split: Split): Finding | undefined {
  const surprise = surpriseOf(failed, made, split);
  if (surprise === undefined || surprise.score <= 0) return undefined;
  const { before, after, count: errors, expected, score } = surprise;
  const sentence = () => `${what} in ${percent(after)} of calls instead of ${percent(before)} (${count(errors, 'error')})`;
  return { signal, culprit, operation, score: weight * score, amount: errors - expected, course: { sum: failed, weight: made, before, after }, sentence };
}
