import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { HindsightError } from '../errors.js';
import type { ChannelSecret } from './notification-model.js';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1.';

/** Encrypts what channels need to send. */
export interface ChannelSecrets {
  /** The result opens for this context only, so that it cannot be moved to another channel. */
  seal(context: string, secret: ChannelSecret): Promise<string>;
  /** Rejects with `unavailable` if it was sealed with another key or for another context. */
  open(context: string, sealed: string): Promise<ChannelSecret>;
}

/**
 * Seals with AES-256-GCM, with a key derived from this secret. `undefined`: there is no key that all processes share,
 * and sealing is refused.
 */
export function createChannelSecrets(load: (() => Promise<Uint8Array | string>) | undefined): ChannelSecrets {
  const key = async (): Promise<Uint8Array> => {
    if (load !== undefined)
      return new Uint8Array(hkdfSync('sha256', await load(), '', 'hindsight notification channels', KEY_BYTES));
    throw new HindsightError(
      'unavailable',
      'Channel secrets cannot be encrypted: an operator must set NOTIFY_SECRET to the same value in all processes.',
    );
  };
  return {
    async seal(context, value) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', await key(), nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open: async (context, sealed) => openSealed(await key(), context, sealed),
  };
}

function openSealed(key: Uint8Array, context: string, sealed: string): ChannelSecret {
  const bytes = Buffer.from(sealed.slice(FORMAT.length), 'base64url');
  try {
    if (!sealed.startsWith(FORMAT)) throw new Error('unknown format');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as ChannelSecret;
  } catch (cause) {
    throw new HindsightError(
      'unavailable',
      'The secret of this channel was encrypted with another key (NOTIFY_SECRET or DATA_DIR/notify-key). Enter it again.',
      [],
      { cause },
    );
  }
}
