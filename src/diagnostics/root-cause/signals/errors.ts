import type { Finding } from '../finding.js';
import { UNNAMED, type EdgeSeries, type Series, type ServiceSeries } from '../series.js';
import { surpriseOf, type Split } from '../statistics.js';
import { count, percent } from '../wording.js';

const REFUSED_WEIGHT = 0.7;

/** Errors that began in a service: spans with status ERROR none of whose children has it. Others only pass them on. */
export function errorFindings({ services, edges }: Series, split: Split): Finding[] {
  const own = services.flatMap(({ service, operations }) =>
    operations
      .filter(({ kind }) => kind !== 'CLIENT' && kind !== 'PRODUCER')
      .flatMap((operation) => findingsOf('errors', { culprit: service, operation: operation.operation, what: `${operation.operation} fails by itself` }, operation.originErrors, operation.count, split)),
  );
  const dependencies = edges
    .filter(({ virtual }) => virtual)
    .flatMap((edge) => {
      const isNamed = edge.target !== UNNAMED;
      const what = `Calls of ${edge.source} to ${isNamed ? edge.target : 'what it depends on'} fail`;
      return findingsOf('dependency errors', { culprit: isNamed ? edge.target : edge.source, what }, edge.errors, edge.count, split);
    });
  return [...own, ...dependencies, ...services.flatMap((service) => refusedCalls(service, edges, split))];
}

/** Calls that fail while who was called knows of no error: refused, cut off, or badly made. Weaker evidence against the caller. */
function refusedCalls({ service, operations }: ServiceSeries, edges: readonly EdgeSeries[], split: Split): Finding[] {
  const calls = operations.filter(({ kind }) => kind === 'CLIENT' || kind === 'PRODUCER');
  const unanswered = edges.filter(({ source, virtual }) => source === service && virtual);
  const sum = (parts: readonly Float64Array[], i: number) => parts.reduce((total, part) => total + part[i], 0);
  const made = new Float64Array(split.to).map((_, i) => sum(calls.map((call) => call.count), i));
  const failed = made.map((_, i) => Math.max(0, sum(calls.map((call) => call.originErrors), i) - sum(unanswered.map(({ errors }) => errors), i)));
  const what = `Calls of ${service} fail that who is called answers without error`;
  return findingsOf('errors', { culprit: service, what }, failed, made, split).map((found) => ({ ...found, score: REFUSED_WEIGHT * found.score }));
}

interface Failing {
  readonly culprit: string;
  readonly operation?: string;
  readonly what: string;
}

function findingsOf(signal: Finding['signal'], { culprit, operation, what }: Failing, failed: Float64Array, exposure: Float64Array, split: Split): Finding[] {
  const surprise = surpriseOf(failed, exposure, split);
  if (surprise === undefined || surprise.score <= 0) return [];
  const { before, after, count: errors, expected, score } = surprise;
  const sentence = () => `${what} in ${percent(after)} of calls instead of ${percent(before)} (${count(errors, 'error')})`;
  return [{ signal, culprit, operation, score, amount: errors - expected, course: { sum: failed, weight: exposure, before, after }, sentence }];
}
