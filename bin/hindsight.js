#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { requireOpenFiles } from './open-files.js';

/** The bundle starts in half of the CPU time. A checkout that was only compiled has none. */
const PROGRAMS = ['../dist/bundle/node/main.js', '../dist/src/cli/main.js'];
const program = PROGRAMS.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));

if (process.argv[2] === 'serve') requireOpenFiles();
if (program === undefined) {
  console.error('hindsight: not built yet; run `npm start` (installs, builds and serves) or `npm run build`');
  process.exitCode = 1;
} else {
  await import(program.href);
}
