import type { Remote } from 'comlink';
import { HindsightError } from '../errors.js';
import type { Thread } from './thread.js';
import type { ThreadSettings } from './thread-settings.js';

/** Stands for a thread that a process with these roles has no use for: every call rejects with code `unavailable`. */
export function absentThread<Api>(roles: ThreadSettings['roles']): Thread<Api> {
  const refuse = (): Promise<never> => Promise.reject(new HindsightError('unavailable', `this process does not do that: its ROLES are ${[...roles].join(',')}`));
  // Whoever awaits the api itself must not find a promise.
  const api = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : refuse) }) as Remote<Api>;
  return { api, ended: new Promise(() => undefined), close: () => Promise.resolve() };
}
