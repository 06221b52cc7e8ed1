import { hkdfSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '../private-file.js';

const BYTES = 32;

/** Gives the key of sessions. */
export type SessionKey = () => Promise<Uint8Array>;

/** From a secret that the operator chose: all processes with the same one know each other's sessions. */
export function keyFromSecret(secret: string): SessionKey {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'hindsight portal session', BYTES));
  return async () => key;
}

/** Kept in this file, made when it is first needed: sessions outlive the process. */
export function keyInFile(file: string): SessionKey {
  let known: Promise<Uint8Array> | undefined;
  return () => {
    known ??= readOrMake(file).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function readOrMake(file: string): Promise<Uint8Array> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (kept === undefined) return newKey(file);
  const key = Buffer.from(kept.trim(), 'base64url');
  if (key.length !== BYTES) throw new Error(`${file} holds no key of sessions; delete it, and a new one is made`);
  return new Uint8Array(key);
}

async function newKey(file: string): Promise<Uint8Array> {
  const key = randomBytes(BYTES);
  await writePrivateFile(file, `${key.toString('base64url')}\n`);
  return new Uint8Array(key);
}
