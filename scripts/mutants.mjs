/**
 * `npm run test:mutants`: plants faults in a copy of the built program, one at a time, and runs the tests that must notice.
 * A fault that no test notices is a hole in the tests, and fails the command. Words select by name: `npm run test:mutants -- key`;
 * `--seconds N` draws faults at random until the time is used up.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './mutants/table.mjs';
import { shuffleBySeed } from './seeded-order.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Of one run of tests: a fault may also show as an endless loop. */
const LIMIT_MS = 240_000;

const copy = mkdtempSync(join(tmpdir(), 'hindsight-mutants-'));
const { values, positionals: words } = parseArgs({ options: { seconds: { type: 'string' } }, allowPositionals: true });
const endMs = values.seconds === undefined ? Infinity : performance.now() + Number(values.seconds) * 1000;
const selected = MUTANTS.filter(({ fault }) => words.length === 0 || words.some((word) => fault.includes(word)));
/** In a random order where the time may not suffice for all. */
const order = endMs === Infinity ? selected : shuffleBySeed(selected, ({ fault }) => fault);
/** Tests that have passed on the sound program, by their names. */
const sound = new Set();
const counts = { planted: 0, caught: 0 };
try {
  for (const part of ['dist', 'bin', 'scripts', 'src', 'test', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  // Without a bundle, services that tests start run the compiled modules, where the faults are.
  rmSync(join(copy, 'dist/bundle'), { recursive: true, force: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const mutant of order) {
    if (performance.now() > endMs) break;
    assertSound(mutant.tests);
    const { verdict, seconds } = plant(mutant);
    counts.planted++;
    if (verdict === 'caught') counts.caught++;
    console.log(`${verdict.padEnd(7)} ${String(seconds).padStart(4)} s  ${mutant.fault}  (${mutant.tests.join(', ')})`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${counts.caught} of ${counts.planted} planted faults caught, of ${selected.length} selected`);
process.exitCode = counts.caught === counts.planted ? 0 : 1;

/** Throws where these tests fail without any fault. */
function assertSound(tests) {
  const names = tests.join(' ');
  if (sound.has(names)) return;
  if (run(tests)) throw new Error(`without any fault these fail already: ${names}`);
  sound.add(names);
}

function plant({ file, from, to, tests }) {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  if (original.split(from).length !== 2) throw new Error(`${file} does not hold exactly once: ${from}`);
  writeFileSync(
    path,
    original.replace(from, () => to),
  );
  const begin = performance.now();
  const failed = run(tests);
  writeFileSync(path, original);
  return { verdict: failed ? 'caught' : 'MISSED', seconds: Math.round((performance.now() - begin) / 1000) };
}

/** Whether a test fails. */
function run(tests) {
  const mocha = join(copy, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const words = [
    '--no-config',
    '--bail',
    '--exit',
    '--timeout',
    '20000',
    ...tests.map((test) => `dist/test/${test}.test.js`),
  ];
  const { status, stdout } = spawnSync(process.execPath, [mocha, ...words], {
    cwd: copy,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  if (status !== 0 && !/\d+ failing/.test(stdout ?? '') && status !== null)
    throw new Error(`the tests did not run: ${stdout}`);
  return status !== 0;
}
