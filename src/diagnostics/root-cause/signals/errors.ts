import type { Finding } from '../finding.js';
import type { Series } from '../series.js';
import { surpriseOf, type Split, type Surprise } from '../statistics.js';
import { count, percent } from '../wording.js';

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
  return [...own, ...dependencies];
}

function risen(surprise: Surprise | undefined): Surprise[] {
  return surprise !== undefined && surprise.score > 0 && surprise.after > surprise.before ? [surprise] : [];
}

function finding(signal: Finding['signal'], culprit: string, operation: string | undefined, surprise: Surprise, what: string): Finding {
  const { before, after, count: errors, expected, score } = surprise;
  return { signal, culprit, operation, score, amount: errors - expected, sentence: () => `${what} in ${percent(after)} of calls instead of ${percent(before)} (${count(errors, 'error')})` };
}
