#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { requireOpenFiles } from './open-files.js';

const program = new URL('../dist/src/cli/main.js', import.meta.url);

if (process.argv[2] === 'serve') requireOpenFiles();
if (existsSync(program)) {
  await import(program.href);
} else {
  console.error('hindsight: not built yet; run `npm start` (installs, builds and serves) or `npm run build`');
  process.exitCode = 1;
}
