import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../private-file.js';
import { withFileLock } from './file-lock.js';
import type { Tokens } from './login-tokens.js';

/**
 * Tokens of logins, a file for each service (mode 0600, in a folder of mode 0700). Several processes may use it at once:
 * who changes a login does so inside `change`.
 */
export class TokenCache {
  /** @param folder belongs to Hindsight alone */
  constructor(private readonly folder: string) {}

  async read(url: string): Promise<Tokens | undefined> {
    const text = await readFile(this.#file(url), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? undefined : parseTokens(text, url);
  }

  /** Puts what `next` makes of the login in its place; undefined removes it. Nobody else changes it meanwhile. */
  async update(
    url: string,
    next: (current: Tokens | undefined) => Promise<Tokens | undefined>,
  ): Promise<Tokens | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await chmod(this.folder, 0o700);
    return withFileLock(`${this.#file(url)}.lock`, async () => {
      const current = await this.read(url);
      const made = await next(current);
      if (made === undefined) await rm(this.#file(url), { force: true });
      else if (made !== current) await writePrivateFile(this.#file(url), `${JSON.stringify({ url, ...made })}\n`);
      return made;
    });
  }

  #file(url: string): string {
    return join(this.folder, `login-${createHash('sha256').update(url).digest('hex').slice(0, 24)}.json`);
  }
}

/** What cannot be understood is no login: the user logs in again, and it is overwritten. */
function parseTokens(text: string, url: string): Tokens | undefined {
  try {
    const { url: kept, ...tokens } = JSON.parse(text) as Tokens & { readonly url: string };
    return kept === url && typeof tokens.accessToken === 'string' && typeof tokens.expiresAt === 'number'
      ? tokens
      : undefined;
  } catch {
    return undefined;
  }
}
