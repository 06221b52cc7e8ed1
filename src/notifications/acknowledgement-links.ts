import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
/** How long (ms) after its notification a link acknowledges. */
export const LINK_LIFETIME_MS = 7 * 86_400_000;
/** Alerts that a link acknowledges: a longer URL would not fit where receivers take one. */
const MAX_ALERTS = 20;
/** Longer texts are no links of ours. */
const MAX_CHARACTERS = 4_096;

/** What a link in a message allows: to acknowledge these alerts, in the name of the channel. */
export interface AcknowledgementGrant {
  readonly gridId: string;
  readonly channelId: string;
  readonly alertIds: readonly string[];
  /** ms since 1970. */
  readonly expiresAt: number;
}

/** Signs what the links in messages allow. */
export interface AcknowledgementLinks {
  /** The same grant always has the same token, so that a repeated message is the same. */
  sign(grant: AcknowledgementGrant): Promise<string>;
  /** Undefined if this service has not signed it, or it has expired by `now` (ms since 1970). */
  open(token: string, now: number): Promise<AcknowledgementGrant | undefined>;
}

/**
 * Signs with HMAC-SHA-256, with a key derived from this secret. A link works once by its nature: an alert is
 * acknowledged once, and fires under another id the next time.
 */
export function createAcknowledgementLinks(load: () => Promise<Uint8Array | string>): AcknowledgementLinks {
  const mac = async (payload: string): Promise<string> => {
    const key = hkdfSync('sha256', await load(), '', 'hindsight acknowledgement links', KEY_BYTES);
    return createHmac('sha256', new Uint8Array(key)).update(payload).digest('base64url');
  };
  return {
    async sign({ gridId, channelId, alertIds, expiresAt }) {
      const fields = [gridId, channelId, expiresAt, ...alertIds.slice(0, MAX_ALERTS)];
      const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
      return `${payload}.${await mac(payload)}`;
    },
    async open(token, now) {
      const [payload = '', signature = '', ...rest] = token.length > MAX_CHARACTERS ? [] : token.split('.');
      // As text: base64url has several spellings of the same bytes.
      const [expected, found] = [Buffer.from(await mac(payload)), Buffer.from(signature)];
      if (rest.length > 0 || found.length !== expected.length || !timingSafeEqual(found, expected)) return undefined;
      const [gridId, channelId, expiresAt, ...alertIds] = JSON.parse(
        Buffer.from(payload, 'base64url').toString('utf8'),
      ) as [string, string, number, ...string[]];
      return now < expiresAt ? { gridId, channelId, alertIds, expiresAt } : undefined;
    },
  };
}
