import { DatabaseSync } from '@photostructure/sqlite';
import { chmodSync, closeSync, existsSync, fsyncSync, openSync } from 'node:fs';

/**
 * Copies the read models in `file` as they are at one moment into the new file `to` (0600), durable when this returns. Their
 * writer never waits; its write-ahead log cannot start over before the copy is done (a second for some 700 MB), and shrinks afterwards.
 * False where there are none. Blocks the thread that calls.
 */
export function copyReadModels(file: string, to: string): boolean {
  if (!existsSync(file)) return false;
  closeSync(openSync(to, 'wx', 0o600));
  const source = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
  chmodSync(to, 0o600);
  const descriptor = openSync(to, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return true;
}
