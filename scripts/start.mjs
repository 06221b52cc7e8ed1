/**
 * `npm start`, `npm run demo`, `npm run cluster`: makes the checkout ready and becomes the program, in one process. A
 * shell with two commands between npm and the program would not pass signals on, and the service would continue running
 * after npm has ended.
 */
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { requireOpenFiles } from '../bin/open-files.js';
import { prepareCheckout } from './prepare/checkout.mjs';
import { ROOT, stop } from './prepare/run.mjs';

/** By name: the file, and the arguments that it always gets. */
const PROGRAMS = {
  serve: ['bin/hindsight.js', 'serve'],
  demo: ['dist/demo/main.js'],
  cluster: ['dist/demo/cluster.js'],
};

const [node, , name, ...more] = process.argv;
const program = PROGRAMS[name];
if (program === undefined) stop(`there is no program ${name}: choose one of ${Object.keys(PROGRAMS).join(', ')}`);
requireOpenFiles();
await prepareCheckout();
const [file, ...always] = program;
const path = join(ROOT, file);
process.argv = [node, path, ...always, ...more];
await import(pathToFileURL(path).href);
