import { hash, randomInt, timingSafeEqual } from 'node:crypto';

/** 62 characters that need no escaping in shells, URLs and OTEL_ header lists; a double click selects the whole key. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 95 bits: ids are globally unique. */
const KEY_ID_LENGTH = 16;
/** 256 bits. */
const SECRET_LENGTH = 43;

/**
 * Generated keys are longer; shorter ones can only come from a setting (config/setting-parsers.ts has the same
 * pattern).
 */
const API_KEY_PATTERN = /^hs_([A-Za-z0-9]{1,64})_([A-Za-z0-9_-]{8,256})$/;

/** A parsed API key: `hs_<keyId>_<secret>`. */
export interface ParsedApiKey {
  readonly keyId: string;
  /** Hex SHA-256 of the secret, the only form in which it is stored. A random secret needs no salt and no slow hash. */
  readonly secretHash: string;
}

export interface ApiKey extends ParsedApiKey {
  /** The complete key, to be shown once. */
  readonly text: string;
}

/** Generates a key with a cryptographically random secret; pass the id to regenerate an existing key. */
export function mintApiKey(keyId: string = generateRandomText(KEY_ID_LENGTH)): ApiKey {
  const secret = generateRandomText(SECRET_LENGTH);
  return { keyId, secretHash: sha256(secret), text: `${apiKeyPrefix(keyId)}${secret}` };
}

/** Parses a key chosen by the operator (`BOOTSTRAP_API_KEY`); undefined if it is malformed. */
export function toOperatorApiKey(text: string): ApiKey | undefined {
  const parsed = parseApiKey(text);
  return parsed === undefined ? undefined : { ...parsed, text };
}

/** Parses an API key; undefined if it is malformed. */
export function parseApiKey(text: string): ParsedApiKey | undefined {
  const [, keyId, secret] = API_KEY_PATTERN.exec(text) ?? [];
  return keyId === undefined || secret === undefined ? undefined : { keyId, secretHash: sha256(secret) };
}

/** Non-secret prefix of a key, as shown in lists. */
export function apiKeyPrefix(keyId: string): string {
  return `hs_${keyId}_`;
}

/** Compares two hashes of secrets in constant time. */
export function isSameSecret(presentedHash: string, storedHash: string): boolean {
  const presented = Buffer.from(presentedHash, 'hex');
  const stored = Buffer.from(storedHash, 'hex');
  return presented.length === stored.length && timingSafeEqual(presented, stored);
}

/** Hex SHA-256 of a text. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

function generateRandomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
