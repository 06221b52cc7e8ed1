import { hkdfSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '../private-file.js';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';

const BYTES = 32;

/** Gives the key of sessions. */
export type SessionKey = () => Promise<Uint8Array>;

/** From a secret that the operator chose: all processes with the same one know each other's sessions. */
export function deriveSessionKey(secret: string): SessionKey {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'hindsight portal session', BYTES));
  return async () => key;
}

/** Kept in this file, made when it is first needed: sessions outlive the process. */
export function createFileSessionKey(file: string): SessionKey {
  let known: Promise<Uint8Array> | undefined;
  return () => {
    known ??= readOrCreateKey(file).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function readOrCreateKey(file: string): Promise<Uint8Array> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (kept === undefined) return createKey(file);
  const key = Buffer.from(kept.trim(), 'base64url');
  if (key.length !== BYTES) throw new Error(`${file} holds no key of sessions; delete it, and a new one is made`);
  return new Uint8Array(key);
}

async function createKey(file: string): Promise<Uint8Array> {
  const key = randomBytes(BYTES);
  await writePrivateFile(file, `${key.toString('base64url')}\n`);
  return new Uint8Array(key);
}

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/** What a text is good for: one that was sealed for another purpose does not open. */
type EncryptionPurpose = 'session' | 'sign-in';

/** Seals texts that browsers keep for us: they cannot read them, nor make or change one. */
export class CookieEncryption {
  /**
   * @param place whose texts they are; one that was sealed elsewhere does not open, even with the same key
   */
  constructor(
    private readonly key: SessionKey,
    private readonly place: string,
  ) {}

  async encrypt(purpose: EncryptionPurpose, value: object, untilMs: number): Promise<string> {
    return new EncryptJWT({ value })
      .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
      .setIssuer(this.place)
      .setAudience(purpose)
      .setExpirationTime(Math.floor(untilMs / 1000))
      .encrypt(await this.key());
  }

  /** Undefined for whatever we have not sealed for this purpose, and for what is over. */
  async decrypt(purpose: EncryptionPurpose, text: string, nowMs: number): Promise<unknown> {
    const checks = {
      issuer: this.place,
      audience: purpose,
      currentDate: new Date(nowMs),
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
      requiredClaims: ['exp'],
    };
    try {
      return (await jwtDecrypt(text, await this.key(), checks)).payload['value'];
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
