import { fileURLToPath } from 'node:url';

/** How to run one of our own files in a process of its own: without the flags and hooks that this process was started with. */
export function nodeProgram(entry: URL): { readonly command: string; readonly args: readonly string[] } {
  return { command: process.execPath, args: [fileURLToPath(entry)] };
}
