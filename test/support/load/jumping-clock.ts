/**
 * Preloaded into every thread of a service under test (`NODE_OPTIONS=--import`): its clock is as far ahead of the machine's as the file
 * CLOCK_OFFSET_FILE says (ms), whenever that changes.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const LOOK_MS = 10;

/** What a process is started with, whose clock follows the file. */
export function clockOf(file: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import ${pathToFileURL(import.meta.filename).href}`, CLOCK_OFFSET_FILE: file };
}

const file = process.env.CLOCK_OFFSET_FILE;
if (file !== undefined) follow(file);

function follow(path: string): void {
  const now = Date.now;
  let offsetMs = Number(readFileSync(path, 'utf8'));
  // A file that is being written reads as nothing, which is 0: it is written by renaming.
  setInterval(() => (offsetMs = Number(readFileSync(path, 'utf8'))), LOOK_MS).unref();
  Date.now = () => now() + offsetMs;
}
