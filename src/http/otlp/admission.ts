import type { Access } from '../../auth/access.js';
import type { PresentedKey } from '../../auth/key-uses.js';
import { refuse, type Refusal } from './outcome.js';

/** Who sends, and into which Grid. */
export interface Sender {
  readonly keyId: string;
  readonly gridId: string;
  /** Days that the Grid keeps telemetry; 0: for ever. */
  readonly retentionDays: number;
}

/**
 * Looked up for each request: a key that was revoked a moment ago opens nothing, also on a kept-alive connection.
 * @param turnedAway told of a key that is right and sends nothing all the same
 */
export async function admitSender(access: Access, presented: string | undefined, turnedAway: (key: PresentedKey, refusal: Refusal) => void): Promise<Sender | Refusal> {
  if (presented === undefined) return refuse('unauthenticated', 'send exactly one API key in the api-key header');
  const key = await access.apiKey(presented);
  if (key === undefined) return refuse('unauthenticated', 'the API key is unknown or was revoked');
  const grid = await access.grid(key.gridId);
  if (grid === undefined) return refuse('unauthenticated', 'the API key belongs to no Grid');
  if (!grid.subscriptionActive) {
    const refusal = refuse('forbidden', 'the subscription of this Grid is inactive');
    turnedAway(key, refusal);
    return refusal;
  }
  return { keyId: key.keyId, gridId: grid.gridId, retentionDays: grid.retentionDays };
}

/** The one key of a request. HTTP joins repeated headers with a comma, which no key contains. */
export function presentedKey(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '' || header.includes(',')) return undefined;
  return header;
}
