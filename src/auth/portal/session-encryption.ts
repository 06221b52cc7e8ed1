import { hkdfSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '../private-file.js';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';

const BYTES = 32;

/** Loads the session key. */
export type SessionKey = () => Promise<Uint8Array>;

/** Derives the key from the operator's secret: all processes with the same secret share sessions. */
export function deriveSessionKey(secret: string): SessionKey {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'hindsight portal session', BYTES));
  return async () => key;
}

/** Key stored in a file and generated at first use, so that sessions survive restarts. */
export function createFileSessionKey(file: string): SessionKey {
  let pending: Promise<Uint8Array> | undefined;
  return () => {
    pending ??= readOrCreateKey(file).catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
}

async function readOrCreateKey(file: string): Promise<Uint8Array> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return createKey(file);
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== BYTES) throw new Error(`${file} contains no valid key; delete it to generate a new one`);
  return new Uint8Array(key);
}

async function createKey(file: string): Promise<Uint8Array> {
  const key = randomBytes(BYTES);
  await writePrivateFile(file, `${key.toString('base64url')}\n`);
  return new Uint8Array(key);
}

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/** Purpose of an encrypted value: a value for another purpose cannot be decrypted. */
type EncryptionPurpose = 'session' | 'sign-in';

/** Encrypts and authenticates values stored in cookies: browsers can neither read nor forge them. */
export class CookieEncryption {
  /**
   * @param issuer installation of the values; values of another installation cannot be decrypted, even with the same
   * key
   */
  constructor(
    private readonly key: SessionKey,
    private readonly issuer: string,
  ) {}

  async encrypt(purpose: EncryptionPurpose, value: object, untilMs: number): Promise<string> {
    return new EncryptJWT({ value })
      .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
      .setIssuer(this.issuer)
      .setAudience(purpose)
      .setExpirationTime(Math.floor(untilMs / 1000))
      .encrypt(await this.key());
  }

  /** Decrypts a value; undefined if it was not encrypted here for this purpose, or has expired. */
  async decrypt(purpose: EncryptionPurpose, text: string, nowMs: number): Promise<unknown> {
    const checks = {
      issuer: this.issuer,
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
