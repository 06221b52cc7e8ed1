import type { Position } from '../../event-store.js';
import type { ChangeHint } from '../live-feed.js';

/** Hints have some hundred bytes; longer messages are ignored. */
const MAX_MESSAGE_BYTES = 4_096;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Subject prefix of a cluster; separates installations that share servers. Throws for a name that is not a valid
 * subject token.
 */
export function toClusterSubject(cluster: string): string {
  if (!/^[\w-]{1,64}$/.test(cluster)) throw new Error('The cluster name must have 1 to 64 letters, digits, _ or -');
  return `hindsight.${cluster}`;
}

/**
 * `<cluster>.appended`, `.projected.<projection>`, `.diagnosed.<Grid>`, so that consumers can subscribe to a subset.
 */
export function toHintSubject(cluster: string, hint: ChangeHint): string {
  switch (hint.topic) {
    case 'appended':
      return `${cluster}.appended`;
    case 'projected':
      return `${cluster}.projected.${encodeSubjectToken(hint.projection)}`;
    case 'diagnosed':
      return `${cluster}.diagnosed.${encodeSubjectToken(hint.gridId)}`;
  }
}

export function encodeHint(hint: ChangeHint): Uint8Array {
  return encoder.encode(JSON.stringify(hint));
}

/** Undefined for anything else: another version may send hints that this one does not support. */
export function decodeHint(message: Uint8Array): ChangeHint | undefined {
  if (message.length > MAX_MESSAGE_BYTES) return undefined;
  try {
    return parseHint(JSON.parse(decoder.decode(message)) as unknown);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parseHint(value: unknown): ChangeHint | undefined {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const { topic, position, projection, gridId, diagnostic, version } = fields;
  if (topic === 'appended' && isString(position)) return { topic, position: position as Position };
  if (topic === 'projected' && isString(projection) && isString(position))
    return { topic, projection, position: position as Position };
  if (topic === 'diagnosed' && isString(gridId) && isString(diagnostic) && typeof version === 'number')
    return { topic, gridId, diagnostic, version };
  return undefined;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Encodes one subject token: dots, wildcards and spaces have a meaning there. */
function encodeSubjectToken(name: string): string {
  return name === ''
    ? '%'
    : encodeURIComponent(name).replace(/[.*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Maximum number of queued hints. */
const HINT_QUEUE_LIMIT = 1_024;

/**
 * Queue of hints to send. A new hint replaces a queued one of the same subject, because it includes it. When full, the
 * oldest is dropped, so that neither an unavailable server nor a burst of hints exhausts memory.
 */
export class CoalescingHintQueue {
  readonly #queued = new Map<string, ChangeHint>();

  constructor(private readonly limit = HINT_QUEUE_LIMIT) {}

  get size(): number {
    return this.#queued.size;
  }

  enqueue(hint: ChangeHint): void {
    const key = toCoalescingKey(hint);
    // Deleted first, because a map keeps the position of an existing key.
    this.#queued.delete(key);
    this.#queued.set(key, hint);
    if (this.#queued.size > this.limit) this.#dropOldest();
  }

  /** Removes and returns all queued hints, oldest first. */
  drain(): ChangeHint[] {
    const hints = [...this.#queued.values()];
    this.#queued.clear();
    return hints;
  }

  #dropOldest(): void {
    const [oldest] = this.#queued.keys();
    this.#queued.delete(oldest);
  }
}

function toCoalescingKey(hint: ChangeHint): string {
  switch (hint.topic) {
    case 'appended':
      return hint.topic;
    case 'projected':
      return `${hint.topic} ${hint.projection}`;
    case 'diagnosed':
      return `${hint.topic} ${hint.gridId} ${hint.diagnostic}`;
  }
}
