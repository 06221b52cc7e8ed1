import { readFile } from 'node:fs/promises';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { writePrivateFile } from '../private-file.js';

const ALGORITHM = 'RS256';

/** Loads the provider's private key, or generates and stores it at first use, so that tokens survive a restart. */
export async function loadOrCreateSigningKey(file: string): Promise<JWK> {
  const text = await readOrUndefined(file);
  if (text !== undefined) return parseKey(text, file);
  const key = await generateKey();
  await writePrivateFile(file, `${JSON.stringify(key)}\n`);
  return key;
}

/** Public part of the key. */
export function toPublicKey({ kty, n, e, kid, alg, use }: JWK): JWK {
  return { kty, n, e, kid, alg, use };
}

async function generateKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, kid: await calculateJwkThumbprint(key), alg: ALGORITHM, use: 'sig' };
}

async function parseKey(text: string, file: string): Promise<JWK> {
  try {
    const key = JSON.parse(text) as JWK;
    await importJWK(key, ALGORITHM);
    if (typeof key.d !== 'string' || typeof key.kid !== 'string')
      throw new Error('a private key with an id is required');
    return key;
  } catch (cause) {
    throw new Error(`${file} contains no valid signing key; delete it to generate a new one`, { cause });
  }
}

async function readOrUndefined(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
