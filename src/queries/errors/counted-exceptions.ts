import { ExceptionIdentities, IDENTITY_BYTES } from '../../diagnostics/error-groups/exception-identities.js';
import type { ExceptionOccurrence } from '../../diagnostics/error-groups/exception-occurrence.js';
import type { QueryMemory } from '../scheduling/query-memory.js';
import type { QueryRange } from '../query/query-model.js';
import type { ErrorSelection } from './error-group-query-types.js';
import type { ExceptionSource } from './exception-source.js';

/** A log record may tell of the exception of a span that ended so long before or starts so long after it. */
const NEIGHBOURHOOD_US = 60_000_000;

/**
 * Calls `visit` with each exception of the selection that counts: those of spans, and of log records the others.
 * @param memory what the query may take
 */
export async function forEachCounted(
  source: ExceptionSource,
  { range, serviceName }: Pick<ErrorSelection, 'range' | 'serviceName'>,
  memory: QueryMemory,
  visit: (exception: ExceptionOccurrence) => void,
): Promise<void> {
  const identities = new ExceptionIdentities();
  const isSelected = createSelection(range, serviceName);
  const widened = { ...range, fromUs: range.fromUs - NEIGHBOURHOOD_US, toUs: range.toUs + NEIGHBOURHOOD_US };
  await source.forEachOfSpans(widened, {
    visit(exception) {
      if (!identities.add(exception)) return;
      memory.charge(IDENTITY_BYTES);
      if (isSelected(exception)) visit(exception);
    },
  });
  await source.forEachOfLogs(range, {
    visit(exception) {
      if (isSelected(exception) && !identities.has(exception)) visit(exception);
    },
  });
}

function createSelection(
  { fromUs, toUs }: QueryRange,
  serviceName: string | undefined,
): (exception: ExceptionOccurrence) => boolean {
  return ({ timeUs, service }) =>
    timeUs >= fromUs && timeUs < toUs && (serviceName === undefined || service === serviceName);
}
