import { ErrorGroupKeys } from '../../diagnostics/error-groups/error-group-key.js';
import { ExceptionIdentities } from '../../diagnostics/error-groups/exception-identities.js';
import { compareText } from '../../diagnostics/text-order.js';
import { sortCooperatively, type TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { TraceError } from '../telemetry/telemetry-query-types.js';
import type { ComparedErrors, TraceSide } from './trace-comparison-types.js';
import { compareByTime, type TraceExceptions } from './trace-error-queries.js';

/** The exceptions of a trace, by what reports them. */
export type ReportedErrors = Pick<TraceExceptions, 'fromSpans' | 'fromLogs'>;

/**
 * Counts the exceptions of two traces by error group and service, each as error groups do: one that several events of a
 * span report counts once, as the earliest. Yields between exceptions: to group one takes up to some milliseconds.
 */
export async function compareErrors(
  current: ReportedErrors,
  baseline: ReportedErrors,
  timeSlice: TimeSlice,
): Promise<readonly ComparedErrors[]> {
  const counts = new ComparedErrorCounts(timeSlice);
  await counts.add('current', current);
  await counts.add('baseline', baseline);
  return sortCooperatively(counts.list(), compareByInterest, timeSlice);
}

type MutableCounts = { -readonly [Name in keyof ComparedErrors]: ComparedErrors[Name] };

class ComparedErrorCounts {
  private readonly keys = new ErrorGroupKeys();
  private readonly found = new Map<string, MutableCounts>();

  constructor(private readonly timeSlice: TimeSlice) {}

  async add(side: TraceSide, { fromSpans, fromLogs }: ReportedErrors): Promise<void> {
    const identities = new ExceptionIdentities();
    for (const error of await sortCooperatively(fromSpans, compareByTime, this.timeSlice)) {
      await this.timeSlice.yieldIfDue();
      const { spanId, exceptionType: type, message } = error;
      if (identities.add({ traceId: '', spanId, type, message, knownUs: 0 })) this.count(side, error);
    }
    for (const error of fromLogs) {
      await this.timeSlice.yieldIfDue();
      this.count(side, error);
    }
  }

  list(): ComparedErrors[] {
    return [...this.found.values()];
  }

  private count(side: TraceSide, { serviceName, exceptionType, message, stackTrace }: TraceError): void {
    const { groupId, type, messagePattern } = this.keys.find({ type: exceptionType, message, stackTrace });
    const key = JSON.stringify([groupId, serviceName]);
    const none = { groupId, serviceName, exceptionType: type, messagePattern, currentCount: 0, baselineCount: 0 };
    const counts = this.found.get(key) ?? none;
    counts[`${side}Count`] += 1;
    this.found.set(key, counts);
  }
}

/** Groups of one trace alone first, then the most frequent ones. */
function compareByInterest(a: ComparedErrors, b: ComparedErrors): number {
  return (
    Number(isInBoth(a)) - Number(isInBoth(b)) ||
    b.currentCount - a.currentCount ||
    b.baselineCount - a.baselineCount ||
    compareText(`${a.serviceName} ${a.groupId}`, `${b.serviceName} ${b.groupId}`)
  );
}

function isInBoth({ currentCount, baselineCount }: ComparedErrors): boolean {
  return currentCount > 0 && baselineCount > 0;
}
