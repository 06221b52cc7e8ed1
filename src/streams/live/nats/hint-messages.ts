import type { Position } from '../../event-store.js';
import type { Hint } from '../live-feed.js';

/** A hint is some hundred bytes; what is longer is none. */
const LONGEST = 4_096;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `cluster` keeps installations that share servers apart. Throws for a name that cannot be part of a subject. */
export function subjectOfCluster(cluster: string): string {
  if (!/^[\w-]{1,64}$/.test(cluster)) throw new Error('the name of a cluster has 1 to 64 letters, digits, _ or -');
  return `hindsight.${cluster}`;
}

/** `<cluster>.appended`, `.projected.<projection>`, `.diagnosed.<Grid>`: who wants a part subscribes to a part. */
export function subjectOf(cluster: string, hint: Hint): string {
  switch (hint.topic) {
    case 'appended':
      return `${cluster}.appended`;
    case 'projected':
      return `${cluster}.projected.${token(hint.projection)}`;
    case 'diagnosed':
      return `${cluster}.diagnosed.${token(hint.gridId)}`;
  }
}

export function encodeHint(hint: Hint): Uint8Array {
  return encoder.encode(JSON.stringify(hint));
}

/** Undefined for what is no hint: another version may announce what this one does not know. */
export function decodeHint(message: Uint8Array): Hint | undefined {
  if (message.length > LONGEST) return undefined;
  try {
    return asHint(JSON.parse(decoder.decode(message)) as unknown);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function asHint(value: unknown): Hint | undefined {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const { topic, position, projection, gridId, diagnostic, version } = fields;
  if (topic === 'appended' && isText(position)) return { topic, position: position as Position };
  if (topic === 'projected' && isText(projection) && isText(position)) return { topic, projection, position: position as Position };
  if (topic === 'diagnosed' && isText(gridId) && isText(diagnostic) && typeof version === 'number') return { topic, gridId, diagnostic, version };
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** One token of a subject: dots, wildcards and spaces mean something there. */
function token(name: string): string {
  return name === '' ? '%' : encodeURIComponent(name).replace(/[.*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
