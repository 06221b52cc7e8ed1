/** Names of `Status.StatusCode` by their numbers on the wire (opentelemetry/proto/trace/v1). */
export const SPAN_STATUS_CODES = ['UNSET', 'OK', 'ERROR'] as const;
export type SpanStatusCode = (typeof SPAN_STATUS_CODES)[number];

/** Name of a wire value; an unknown code is UNSET. */
export function spanStatusCodeName(code: number): SpanStatusCode {
  return SPAN_STATUS_CODES[code] ?? 'UNSET';
}
