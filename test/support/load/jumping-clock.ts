/**
 * Preloaded into every thread of a service under test (`NODE_OPTIONS=--import`): adds the offset (ms) in the file
 * CLOCK_OFFSET_FILE to its clock, and follows changes of the file.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const POLL_MS = 10;

/** Environment of a process whose clock follows the file. */
export function clockOf(file: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import ${pathToFileURL(import.meta.filename).href}`, CLOCK_OFFSET_FILE: file };
}

const file = process.env.CLOCK_OFFSET_FILE;
if (file !== undefined) follow(file);

function follow(path: string): void {
  const now = Date.now;
  let offsetMs = Number(readFileSync(path, 'utf8'));
  // An empty file would read as 0, so the file must be replaced atomically.
  setInterval(() => (offsetMs = Number(readFileSync(path, 'utf8'))), POLL_MS).unref();
  Date.now = () => now() + offsetMs;
}
