import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import type { SessionKey } from './session-key.js';

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/** What a text is good for: one that was sealed for another purpose does not open. */
export type Purpose = 'session' | 'sign-in';

/** Seals texts that browsers keep for us: they cannot read them, nor make or change one. */
export class Seals {
  /**
   * @param place whose texts they are; one that was sealed elsewhere does not open, even with the same key
   */
  constructor(
    private readonly key: SessionKey,
    private readonly place: string,
  ) {}

  async seal(purpose: Purpose, value: object, untilMs: number): Promise<string> {
    return new EncryptJWT({ value })
      .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
      .setIssuer(this.place)
      .setAudience(purpose)
      .setExpirationTime(Math.floor(untilMs / 1000))
      .encrypt(await this.key());
  }

  /** Undefined for whatever we have not sealed for this purpose, and for what is over. */
  async open(purpose: Purpose, text: string, nowMs: number): Promise<unknown> {
    const checks = { issuer: this.place, audience: purpose, currentDate: new Date(nowMs), keyManagementAlgorithms: [ALGORITHM], contentEncryptionAlgorithms: [ENCRYPTION], requiredClaims: ['exp'] };
    try {
      return (await jwtDecrypt(text, await this.key(), checks)).payload['value'];
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
