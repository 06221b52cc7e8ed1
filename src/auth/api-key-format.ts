import { hash, randomInt, timingSafeEqual } from 'node:crypto';

/** 62 characters, none of which a shell, a URL or an OTEL_ header list needs to escape; one double click selects a whole key. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 95 bits: ids are unique over all Grids. */
const KEY_ID_LENGTH = 16;
/** 256 bits. */
const SECRET_LENGTH = 43;

/** Keys that we make are longer; a shorter one can only come from a setting (whose parser knows the same form). */
const API_KEY_PATTERN = /^hs_([A-Za-z0-9]{1,64})_([A-Za-z0-9_-]{8,256})$/;

/** An API key taken apart: `hs_<keyId>_<secret>`. */
export interface ParsedApiKey {
  readonly keyId: string;
  /** Hex SHA-256 of the secret; all that is ever stored of it. A random secret needs no salt and no slow hash. */
  readonly secretHash: string;
}

export interface ApiKey extends ParsedApiKey {
  /** The key itself, to be shown once. */
  readonly text: string;
}

/** A key with a fresh secret from the system's generator; regenerating keeps the id. */
export function mintApiKey(keyId: string = generateRandomText(KEY_ID_LENGTH)): ApiKey {
  const secret = generateRandomText(SECRET_LENGTH);
  return { keyId, secretHash: sha256(secret), text: `${apiKeyPrefix(keyId)}${secret}` };
}

/** The key that an operator chose (`BOOTSTRAP_API_KEY`); undefined where it has not the form. */
export function toOperatorApiKey(text: string): ApiKey | undefined {
  const parsed = parseApiKey(text);
  return parsed === undefined ? undefined : { ...parsed, text };
}

/** Undefined for any text that has not the form of a key. */
export function parseApiKey(text: string): ParsedApiKey | undefined {
  const [, keyId, secret] = API_KEY_PATTERN.exec(text) ?? [];
  return keyId === undefined || secret === undefined ? undefined : { keyId, secretHash: sha256(secret) };
}

/** What lists show of a key. */
export function apiKeyPrefix(keyId: string): string {
  return `hs_${keyId}_`;
}

/** Compares two hashes of secrets in constant time. */
export function isSameSecret(presentedHash: string, storedHash: string): boolean {
  const presented = Buffer.from(presentedHash, 'hex');
  const stored = Buffer.from(storedHash, 'hex');
  return presented.length === stored.length && timingSafeEqual(presented, stored);
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

function generateRandomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
