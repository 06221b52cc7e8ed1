/** SpanKind on the wire (opentelemetry/proto/trace/v1). */
export const KIND_INTERNAL = 1;
export const KIND_SERVER = 2;
export const KIND_CLIENT = 3;
export const KIND_PRODUCER = 4;
export const KIND_CONSUMER = 5;

/** Ordered by their numbers on the wire, which stored rollups use too. */
export const SPAN_KINDS = ['INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/** Name of a wire value; 0 (unspecified) and unknown kinds are INTERNAL. */
export function spanKindName(kind: number): SpanKind {
  return SPAN_KINDS[kind - KIND_INTERNAL] ?? 'INTERNAL';
}

/** True if a span of this kind calls another service. */
export function isCallKind(kind: number): boolean {
  return kind === KIND_CLIENT || kind === KIND_PRODUCER;
}

/** True if a span of this kind is the entry point into its service. (So is every span without a parent.) */
export function isEntryKind(kind: number): boolean {
  return kind === KIND_SERVER || kind === KIND_CONSUMER;
}
