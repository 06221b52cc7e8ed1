/** Types of pressure points, and what people call them. */
const TYPES: readonly (readonly [RegExp, type: string, title: string])[] = [
  [/\b(?:queues?|queue(?:ing|d)|backlog)\b/i, 'queue', 'queue'],
  [/\bthreads?\b/i, 'thread_pool', 'thread pool'],
  [/\b(?:connections?|pools?)\b/i, 'connection_pool', 'connection pool'],
  [/\bcpu\b|\bprocessors?\b/i, 'cpu', 'CPU'],
  [/\bmemory\b|\bheap\b|\bram\b|\boom\b/i, 'memory', 'memory'],
  [/\bevent\s?loop\b/i, 'event_loop', 'event loop'],
];

export interface ResourceType {
  /** As pressure points name it. */
  readonly type: string;
  readonly title: string;
}

/** The one type of resource that a text speaks of; undefined: none, or several. */
export function resourceTypeIn(text: string): ResourceType | undefined {
  const [found, other] = TYPES.filter(([pattern]) => pattern.test(text));
  return found === undefined || other !== undefined ? undefined : { type: found[1], title: found[2] };
}
