import { sortOccurrences, type ExceptionOccurrence } from '../../diagnostics/error-groups/exception-occurrence.js';
import { EXCEPTION_EVENT, readException } from '../../telemetry/attributes.js';
import { decodeSpanRecord, type SpanEventRecord } from '../../telemetry/otlp/decoding/record-decoder.js';

const NS_PER_US = 1_000n;

/**
 * The exceptions of a stored span, the earliest first. Events with the same type and message count once, as the earliest.
 * Their times are cut to those of the span, as in the rollups; an event without a time counts at its end.
 */
export function readSpanExceptions(
  body: Uint8Array,
  offset: number,
  length: number,
  origin: Pick<ExceptionOccurrence, 'service' | 'version'>,
): ExceptionOccurrence[] {
  const { traceId, spanId, events, start, end } = decodeSpanRecord(body, offset, length);
  const startUs = Number(start / NS_PER_US);
  const endUs = Math.max(startUs, Number(end / NS_PER_US));
  const found = events.flatMap((event) => {
    const exception = event.name === EXCEPTION_EVENT ? readException(event.attributes) : undefined;
    if (exception === undefined) return [];
    const occurrence = { source: 'span' as const, traceId, spanId, ...origin, ...exception };
    return [{ ...occurrence, timeUs: readTimeUs(event, startUs, endUs), knownUs: endUs }];
  });
  return found.length < 2 ? found : dropRepeated(sortOccurrences(found));
}

function readTimeUs({ time }: SpanEventRecord, startUs: number, endUs: number): number {
  return time === 0n ? endUs : Math.min(Math.max(Number(time / NS_PER_US), startUs), endUs);
}

function dropRepeated(exceptions: readonly ExceptionOccurrence[]): ExceptionOccurrence[] {
  const known = new Set<string>();
  return exceptions.filter(({ type, message }) => {
    const before = known.size;
    known.add(JSON.stringify([type, message]));
    return known.size > before;
  });
}
