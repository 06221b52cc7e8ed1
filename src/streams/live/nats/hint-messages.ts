import type { Position } from '../../event-store.js';
import type { ChangeHint } from '../live-feed.js';

/** A hint is some hundred bytes; what is longer is none. */
const MAX_MESSAGE_BYTES = 4_096;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `cluster` keeps installations that share servers apart. Throws for a name that cannot be part of a subject. */
export function toClusterSubject(cluster: string): string {
  if (!/^[\w-]{1,64}$/.test(cluster)) throw new Error('the name of a cluster has 1 to 64 letters, digits, _ or -');
  return `hindsight.${cluster}`;
}

/** `<cluster>.appended`, `.projected.<projection>`, `.diagnosed.<Grid>`: who wants a part subscribes to a part. */
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

/** Undefined for what is no hint: another version may announce what this one does not know. */
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

/** One token of a subject: dots, wildcards and spaces mean something there. */
function encodeSubjectToken(name: string): string {
  return name === ''
    ? '%'
    : encodeURIComponent(name).replace(/[.*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** How many subjects of hints may wait at once. */
const HINT_QUEUE_LIMIT = 1_024;

/**
 * Hints that wait to be sent: of those about the same thing the latest, because it says all that the earlier ones said. Full, it
 * drops what has waited longest. So neither an absent server nor a storm of hints takes memory.
 */
export class CoalescingHintQueue {
  readonly #waiting = new Map<string, ChangeHint>();

  constructor(private readonly limit = HINT_QUEUE_LIMIT) {}

  get size(): number {
    return this.#waiting.size;
  }

  enqueue(hint: ChangeHint): void {
    const key = toCoalescingKey(hint);
    // Deleted first: a map keeps the place of a key that it has, and this one is the newest now.
    this.#waiting.delete(key);
    this.#waiting.set(key, hint);
    if (this.#waiting.size > this.limit) this.#dropOldest();
  }

  /** Everything that waits, oldest first; the box is empty afterwards. */
  drain(): ChangeHint[] {
    const hints = [...this.#waiting.values()];
    this.#waiting.clear();
    return hints;
  }

  #dropOldest(): void {
    const [oldest] = this.#waiting.keys();
    this.#waiting.delete(oldest);
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
