/**
 * `npm run test:faults -- --minutes N` (default 60): faults injected on purpose, one file after the other, since each judges a
 * loaded machine. Every file runs its least cycles; what is left of the time is shared evenly among the files that can repeat
 * theirs, and the planted faults (mutants). Where the time does not suffice for all, files are drawn by FAULTS_SEED, and those that
 * were not run are named. Other words select files: `npm run test:faults -- kill power-cut`.
 *
 * As in `npm run test:all`, up to three files with failures run once more at the end, with the same seed, in what is left of the
 * time, and with their least cycles if nothing is. One that passes then is listed as flaky, with the output of its failure above:
 * to be examined before anything else. What hung or crashed fails the run.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './prepare/run.mjs';
import { shuffleBySeed } from './seeded-order.mjs';

/** What all files take with their least cycles, and the start of the mutants, on two cores (s): measured 2026-11-23. */
const LEAST_SECONDS = 900;
/** A file that takes so much longer (s) than its share hangs. */
const GRACE_SECONDS = 900;
/** More failed files at once are no coincidence. */
const MAX_RERUN_FILES = 3;

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '60' } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error(`--minutes takes a number above 0, not "${values.minutes}"`);
  process.exit(1);
}

const folder = join(ROOT, 'dist/test/faults');
const isSelected = (file) => positionals.length === 0 || positionals.some((word) => file.startsWith(word));
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.test.js') && isSelected(file))
  .sort();
const repeating = files.filter((file) =>
  /cyclesWithinBudget|scaleToBudget|\/(unit|integration|e2e)\/[^']*\.test\.js/.test(
    readFileSync(join(folder, file), 'utf8'),
  ),
);
const plantsMutants = positionals.length === 0 || positionals.includes('mutants');
const shareSeconds = Math.max(
  0,
  Math.floor((minutes * 60 - LEAST_SECONDS) / (repeating.length + (plantsMutants ? 1 : 0) || 1)),
);

// The same for every file, and for what runs again.
process.env.FAULTS_SEED ??= String(Date.now() % 2 ** 31);

const counts = { passed: 0, failed: 0, skipped: 0, flaky: 0 };
const durations = [];
/** Failed tests by file, of files that came to their end. */
const failures = new Map();
let unfinished = 0;
const began = performance.now();
console.log(`${files.length} files, ${shareSeconds} s of repetitions each, FAULTS_SEED=${process.env.FAULTS_SEED}`);
const elapsedSeconds = () => (performance.now() - began) / 1000;
const isOver = () => elapsedSeconds() > minutes * 60;
const left = [];
for (const file of minutes * 60 < LEAST_SECONDS ? shuffleBySeed(files) : files) {
  if (isOver()) left.push(file);
  else await runFile(file, shareSeconds);
}
if (plantsMutants && !isOver()) await runMutants();
else if (plantsMutants) left.push('mutants');
if (failures.size > 0 && failures.size + unfinished <= MAX_RERUN_FILES) await rerunFailed();
if (left.length > 0) console.log(`\nnot run, the ${minutes} minutes were over: ${left.join(', ')}`);

console.log('\nslowest files:');
for (const { file, seconds } of durations.sort((a, b) => b.seconds - a.seconds).slice(0, 10))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
console.log(`${Math.round(elapsedSeconds())} s in all, of ${Math.round(minutes * 60)} s`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped, ${counts.flaky} flaky`);
process.exitCode = counts.failed > 0 ? 1 : 0;

/** Counts the failures of a file that passes now as flaky. */
async function rerunFailed() {
  console.log(`\nruns again: ${[...failures.keys()].join(' ')}`);
  for (const [file, failed] of [...failures]) {
    failures.delete(file);
    const before = { ...counts, unfinished };
    await runFile(file, Math.min(shareSeconds, Math.max(0, Math.floor(minutes * 60 - elapsedSeconds()))));
    const passes = !failures.has(file) && unfinished === before.unfinished;
    for (const name of Object.keys(counts)) counts[name] = before[name];
    if (!passes) continue;
    counts.failed -= failed;
    counts.flaky += failed;
    console.log(`flaky: ${file} failed and passed when it ran again`);
  }
}

/** Runs a file, and adds its results to the counts. `repeatSeconds`: time of repetitions, if the file can repeat its cycles. */
async function runFile(file, repeatSeconds) {
  const words = [
    'node_modules/mocha/bin/mocha.js',
    '--no-config',
    '--forbid-only',
    '--enable-source-maps',
    '--timeout',
    '60000',
    '--require',
    './scripts/property-seed.mjs',
    '--reporter',
    './scripts/test-reporter.cjs',
    join('dist/test/faults', file),
  ];
  const { output, printed, seconds, status } = await run(words, repeatSeconds + GRACE_SECONDS, {
    FAULTS_SECONDS: String(repeating.includes(file) ? repeatSeconds : 0),
  });
  const closing = [...printed.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1);
  const [, passed, failed, skipped] = closing ?? [, 0, status === 0 ? 0 : 1, 0];
  counts.passed += Number(passed);
  // A run that was killed or crashed has no closing line, or one without the failure.
  const failedTests = status === 0 ? Number(failed) : Math.max(1, Number(failed));
  counts.failed += failedTests;
  if (closing === undefined) unfinished += 1;
  else if (failedTests > 0) failures.set(file, failedTests);
  counts.skipped += Number(skipped);
  durations.push({ file, seconds });
  console.log(
    `${status === 0 ? 'passed' : 'FAILED'} ${seconds.toFixed(0).padStart(5)} s  ${file}  (${passed} passed, ${failed} failed, ${skipped} skipped)`,
  );
  if (status !== 0) console.log(output);
}

async function runMutants() {
  const { output, seconds, status } = await run(
    ['scripts/mutants.mjs', '--seconds', String(Math.max(30, shareSeconds))],
    shareSeconds + GRACE_SECONDS,
    {},
  );
  counts[status === 0 ? 'passed' : 'failed'] += 1;
  durations.push({ file: 'mutants', seconds });
  console.log(output);
}

/** Runs Node with these words in a process group of its own, which is ended when it takes too long. */
function run(words, limitSeconds, environment) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const [chunks, printed] = [[], []];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  child.stdout.on('data', (chunk) => printed.push(chunk));
  const end = () => (process.platform === 'win32' ? child.kill('SIGKILL') : process.kill(-child.pid, 'SIGKILL'));
  const timer = setTimeout(end, limitSeconds * 1000);
  return new Promise((resolve) => {
    child.once('close', (status) => {
      clearTimeout(timer);
      const [output, ofTests] = [chunks, printed].map((each) => Buffer.concat(each).toString());
      resolve({ output, printed: ofTests, seconds: (performance.now() - startedAt) / 1000, status });
    });
  });
}
