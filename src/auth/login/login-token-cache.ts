import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../private-file.js';
import { withFileLock } from './file-lock.js';
import type { Tokens } from './login-tokens.js';

/**
 * Login tokens, one file per service (mode 0600, in a folder of mode 0700). Several processes may use the cache:
 * changes MUST go through `update`.
 */
export class TokenCache {
  /** @param folder used by Hindsight only */
  constructor(private readonly folder: string) {}

  async read(url: string): Promise<Tokens | undefined> {
    const text = await readFile(this.#file(url), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? undefined : parseTokens(text, url);
  }

  /** Replaces the tokens with the result of `next` under a lock; undefined deletes them. */
  async update(
    url: string,
    next: (current: Tokens | undefined) => Promise<Tokens | undefined>,
  ): Promise<Tokens | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await chmod(this.folder, 0o700);
    return withFileLock(`${this.#file(url)}.lock`, async () => {
      const current = await this.read(url);
      const updated = await next(current);
      if (updated === undefined) await rm(this.#file(url), { force: true });
      else if (updated !== current) await writePrivateFile(this.#file(url), `${JSON.stringify({ url, ...updated })}\n`);
      return updated;
    });
  }

  #file(url: string): string {
    return join(this.folder, `login-${createHash('sha256').update(url).digest('hex').slice(0, 24)}.json`);
  }
}

/** An unreadable file counts as no login: the user logs in again, which overwrites it. */
function parseTokens(text: string, url: string): Tokens | undefined {
  try {
    const { url: storedUrl, ...tokens } = JSON.parse(text) as Tokens & { readonly url: string };
    return storedUrl === url && typeof tokens.accessToken === 'string' && typeof tokens.expiresAt === 'number'
      ? tokens
      : undefined;
  } catch {
    return undefined;
  }
}
