import { compareText } from '../text-order.js';

/** An exception that a span event or a log record reports. */
export interface ExceptionOccurrence {
  readonly source: 'span' | 'log';
  readonly type: string;
  readonly message: string;
  /** As the runtime printed it; empty if none was sent. */
  readonly stackTrace: string;
  readonly service: string;
  /** `service.version` of the resource; empty if none was sent. */
  readonly version: string;
  /** µs since 1970. */
  readonly timeUs: number;
  /** When it could be known at the earliest, µs since 1970: at the end of its span, or when the log record was written. */
  readonly knownUs: number;
  /** Lower-case hex; empty if the log record names none. */
  readonly traceId: string;
  readonly spanId: string;
}

/** The earliest first; the order does not depend on that of the argument. */
export function sortOccurrences<T extends Pick<ExceptionOccurrence, 'timeUs' | 'stackTrace'>>(
  exceptions: readonly T[],
): T[] {
  return [...exceptions].sort((a, b) => a.timeUs - b.timeUs || compareText(a.stackTrace, b.stackTrace));
}
