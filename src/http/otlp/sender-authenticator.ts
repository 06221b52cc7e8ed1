import type { AccessControl } from '../../auth/access-control.js';
import type { ApiKeyUsageListener, PresentedKey } from '../../auth/api-key-usage-listener.js';
import type { Signal } from '../../telemetry/signals.js';
import { type CredentialGuard, RETRY_TURN_MS } from '../limits/credential-guard.js';
import { createRefusal, createThrottledRefusal, type Refusal } from './export-outcome.js';
import type { ExportRequest } from './export-request.js';

/** An authenticated sender with its Grid. */
export interface Sender {
  readonly keyId: string;
  readonly gridId: string;
  /** The user who created the Grid; the id of the Grid if unknown. */
  readonly ownerId: string;
  /** Days for which the Grid retains telemetry; 0: unlimited. */
  readonly retentionDays: number;
  /** Time (ms since 1970) before which telemetry of the Grid has expired; 0: nothing has. */
  readonly expiredBefore: number;
}

export interface SenderAuthenticatorOptions {
  readonly access: AccessControl;
  readonly guard: CredentialGuard;
  readonly keyUses: Pick<ApiKeyUsageListener, 'recordRefusal'>;
}

/** The known parts of a request that is rejected by its head. */
export interface RefusedRequestHead extends Pick<ExportRequest, 'apiKey' | 'client'> {
  readonly signal: Signal | undefined;
}

/** Finds the senders of export requests by their API keys, limits failed attempts, and records what keys were refused for. */
export class SenderAuthenticator {
  constructor(private readonly options: SenderAuthenticatorOptions) {}

  /** Unknown keys from an address with too many failed attempts wait for a turn; invalid ones are then `throttled`. */
  async authenticate({ apiKey, client, connection, signal }: ExportRequest): Promise<Sender | Refusal> {
    const { access, guard } = this.options;
    const waitMs = apiKey === undefined ? 0 : guard.waitMs(client, apiKey);
    if (waitMs > 0 && !(await guard.takeTurn(client, connection ?? {}))) return createGuessingRefusal(RETRY_TURN_MS);
    const sender = await authenticateSender(access, apiKey, (key, refusal) =>
      this.recordKeyRefusal(key, signal, refusal),
    );
    if (apiKey === undefined) return sender;
    if (!('kind' in sender)) guard.recordSuccess(apiKey);
    else if (sender.kind === 'unauthenticated') {
      guard.recordFailure(client, apiKey);
      if (waitMs > 0) return createGuessingRefusal(waitMs);
    }
    return sender;
  }

  /**
   * Records a request that was rejected by its head in the usage of its key, if that is valid. An invalid key counts as a
   * failed attempt. Never rejects: nothing is recorded while keys cannot be looked up.
   */
  async recordRefusal({ signal, apiKey, client }: RefusedRequestHead, refusal: Refusal): Promise<void> {
    const { access, guard } = this.options;
    if (apiKey === undefined || guard.waitMs(client, apiKey) > 0) return;
    const onKey = (key: PresentedKey | undefined): void =>
      key === undefined ? guard.recordFailure(client, apiKey) : this.recordKeyRefusal(key, signal, refusal);
    await access.findApiKey(apiKey).then(onKey, () => undefined);
  }

  /** Skips refusals that a retry resolves, since they are not the sender's fault. */
  recordKeyRefusal(key: PresentedKey, signal: Signal | undefined, { kind, message: reason }: Refusal): void {
    if (kind !== 'overloaded' && kind !== 'unavailable')
      this.options.keyUses.recordRefusal(key, { ...(signal !== undefined && { signal }), kind, reason });
  }
}

/**
 * Authenticates the sender by its API key. Repeated for each request, so that a revoked key is rejected also on open
 * connections.
 * @param onRefused called if the key is valid but must not send telemetry, or the Grid rejects it
 */
export async function authenticateSender(
  access: AccessControl,
  presented: string | undefined,
  onRefused: (key: PresentedKey, refusal: Refusal) => void,
): Promise<Sender | Refusal> {
  if (presented === undefined)
    return createRefusal('unauthenticated', 'send exactly one API key in the api-key header');
  const key = await access.findApiKey(presented);
  if (key === undefined) return createRefusal('unauthenticated', 'the API key is unknown or was revoked');
  if (key.kind === 'read') {
    const refusal = createRefusal(
      'forbidden',
      'key-kind: this API key is of the kind read; use one of the kind send or full',
    );
    onRefused(key, refusal);
    return refusal;
  }
  const grid = await access.findGrid(key.gridId);
  if (grid === undefined) return createRefusal('unauthenticated', 'the Grid of this API key does not exist');
  if (!grid.subscriptionActive) {
    const refusal = createRefusal('forbidden', 'the subscription of this Grid is inactive');
    onRefused(key, refusal);
    return refusal;
  }
  return {
    keyId: key.keyId,
    gridId: grid.gridId,
    ownerId: grid.ownerId ?? grid.gridId,
    retentionDays: grid.retentionDays,
    expiredBefore: await access.findRetentionWatermark(grid.gridId),
  };
}

/**
 * The API key of a request; undefined if there is none or several. HTTP joins repeated headers with a comma, which no
 * key contains.
 */
export function readApiKey(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '' || header.includes(',')) return undefined;
  return header;
}

function createGuessingRefusal(retryAfterMs: number): Refusal {
  return createThrottledRefusal('too many requests with invalid API keys from this address', retryAfterMs);
}
