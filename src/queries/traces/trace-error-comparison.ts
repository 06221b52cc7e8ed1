import { ErrorGroupKeys } from '../../diagnostics/error-groups/error-group-key.js';
import { compareText } from '../../diagnostics/text-order.js';
import type { TraceError } from '../telemetry/telemetry-query-types.js';
import type { ComparedErrors } from './trace-comparison-types.js';

/** Counts the exceptions of two traces by error group and service. */
export function compareErrors(
  current: readonly TraceError[],
  baseline: readonly TraceError[],
): readonly ComparedErrors[] {
  const keys = new ErrorGroupKeys();
  const found = new Map<string, ComparedErrors>();
  const add = (error: TraceError, counts: Pick<ComparedErrors, 'currentCount' | 'baselineCount'>): void => {
    const { serviceName, exceptionType, message, stackTrace } = error;
    const { groupId, type, messagePattern } = keys.find({ type: exceptionType, message, stackTrace });
    const key = JSON.stringify([groupId, serviceName]);
    const known = found.get(key);
    found.set(key, {
      ...{ groupId, serviceName, exceptionType: type, messagePattern },
      currentCount: (known?.currentCount ?? 0) + counts.currentCount,
      baselineCount: (known?.baselineCount ?? 0) + counts.baselineCount,
    });
  };
  for (const error of current) add(error, { currentCount: 1, baselineCount: 0 });
  for (const error of baseline) add(error, { currentCount: 0, baselineCount: 1 });
  return [...found.values()].sort(
    (a, b) =>
      Number(isInBoth(a)) - Number(isInBoth(b)) ||
      b.currentCount - a.currentCount ||
      b.baselineCount - a.baselineCount ||
      compareText(`${a.serviceName} ${a.groupId}`, `${b.serviceName} ${b.groupId}`),
  );
}

function isInBoth({ currentCount, baselineCount }: ComparedErrors): boolean {
  return currentCount > 0 && baselineCount > 0;
}
