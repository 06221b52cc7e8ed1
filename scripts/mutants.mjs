/**
 * `npm run test:mutants`: plants faults in a copy of the built program, one at a time, and runs the tests that must notice.
 * A fault that no test notices is a hole in the tests, and fails the command. Words select by name: `npm run test:mutants -- key`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './mutants/table.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Of one run of tests: a fault may also show as an endless loop. */
const LIMIT_MS = 240_000;

const copy = mkdtempSync(join(tmpdir(), 'hindsight-mutants-'));
const words = process.argv.slice(2);
const chosen = MUTANTS.filter(({ fault }) => words.length === 0 || words.some((word) => fault.includes(word)));
let missed = 0;
try {
  for (const part of ['dist', 'bin', 'scripts', 'src', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const tests of new Set(chosen.map((each) => each.tests.join(' ')))) {
    if (run(tests.split(' '))) throw new Error(`without any fault these fail already: ${tests}`);
  }
  for (const mutant of chosen) {
    const { verdict, seconds } = plant(mutant);
    missed += verdict === 'caught' ? 0 : 1;
    console.log(`${verdict.padEnd(7)} ${String(seconds).padStart(4)} s  ${mutant.fault}  (${mutant.tests.join(', ')})`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${chosen.length - missed} of ${chosen.length} planted faults caught`);
process.exitCode = missed === 0 ? 0 : 1;

function plant({ file, from, to, tests }) {
  const path = join(copy, file);
  const sound = readFileSync(path, 'utf8');
  if (sound.split(from).length !== 2) throw new Error(`${file} does not hold exactly once: ${from}`);
  writeFileSync(
    path,
    sound.replace(from, () => to),
  );
  const begin = performance.now();
  const failed = run(tests);
  writeFileSync(path, sound);
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
