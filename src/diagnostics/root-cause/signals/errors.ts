import type { Finding } from '../finding.js';
import type { EdgeSeries, Series, ServiceSeries } from '../series.js';
import { surpriseOf, type Split, type Surprise } from '../statistics.js';
import { count, percent } from '../wording.js';

const REFUSED_WEIGHT = 0.7;

/** Errors that began in a service: spans with status ERROR none of whose children has it. Others only pass them on. */
export function errorFindings({ services, edges }: Series, split: Split): Finding[] {
  const own = services.flatMap(({ service, operations }) =>
    operations
      .filter(({ kind }) => kind !== 'CLIENT' && kind !== 'PRODUCER')
      .flatMap((operation) => risen(surpriseOf(operation.originErrors, operation.count, split)).map((surprise) => finding('errors', service, operation.operation, surprise, `${operation.operation} fails by itself`))),
  );
  const dependencies = edges
    .filter(({ virtual }) => virtual)
    .flatMap((edge) =>
      risen(surpriseOf(edge.errors, edge.count, split)).map((surprise) =>
        edge.target === 'unknown' ? finding('dependency errors', edge.source, undefined, surprise, `calls of ${edge.source} to what it depends on fail`) : finding('dependency errors', edge.target, undefined, surprise, `calls of ${edge.source} to ${edge.target} fail`),
      ),
    );
  return [...own, ...dependencies, ...services.flatMap((service) => refusedCalls(service, edges, split))];
}

/** Calls that fail while who was called knows of no error: refused, cut off, or badly made. Weaker evidence against the caller. */
function refusedCalls({ service, operations }: ServiceSeries, edges: readonly EdgeSeries[], split: Split): Finding[] {
  const calls = operations.filter(({ kind }) => kind === 'CLIENT' || kind === 'PRODUCER');
  const unanswered = edges.filter(({ source, virtual }) => source === service && virtual);
  const sum = (parts: readonly Float64Array[], i: number) => parts.reduce((total, part) => total + part[i], 0);
  const count = new Float64Array(split.to).map((_, i) => sum(calls.map((call) => call.count), i));
  const failed = count.map((_, i) => Math.max(0, sum(calls.map((call) => call.originErrors), i) - sum(unanswered.map(({ errors }) => errors), i)));
  return risen(surpriseOf(failed, count, split)).map((surprise) => {
    const found = finding('errors', service, undefined, surprise, `calls of ${service} fail that who is called answers without error`);
    return { ...found, score: REFUSED_WEIGHT * found.score };
  });
}

function risen(surprise: Surprise | undefined): Surprise[] {
  return surprise !== undefined && surprise.score > 0 && surprise.after > surprise.before ? [surprise] : [];
}

function finding(signal: Finding['signal'], culprit: string, operation: string | undefined, surprise: Surprise, what: string): Finding {
  const { before, after, count: errors, expected, score } = surprise;
  return { signal, culprit, operation, score, amount: errors - expected, sentence: () => `${what} in ${percent(after)} of calls instead of ${percent(before)} (${count(errors, 'error')})` };
}
