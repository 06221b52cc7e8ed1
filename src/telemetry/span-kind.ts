/** SpanKind on the wire (opentelemetry/proto/trace/v1). */
export const KIND_INTERNAL = 1;
export const KIND_SERVER = 2;
export const KIND_CLIENT = 3;
export const KIND_PRODUCER = 4;
export const KIND_CONSUMER = 5;

/** In the order of their numbers on the wire, by which rollups are stored too. */
export const SPAN_KINDS = ['INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/** Name of a kind on the wire; 0 (unspecified) and unknown kinds are INTERNAL. */
export function spanKindName(kind: number): SpanKind {
  return SPAN_KINDS[kind - KIND_INTERNAL] ?? 'INTERNAL';
}

/** Does a span of this kind call another service? */
export function isCallKind(kind: number): boolean {
  return kind === KIND_CLIENT || kind === KIND_PRODUCER;
}

/** Does a span of this kind begin work in its service? (A span without a parent always does.) */
export function isEntryKind(kind: number): boolean {
  return kind === KIND_SERVER || kind === KIND_CONSUMER;
}
