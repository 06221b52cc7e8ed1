/**
 * `npm run test:all`: every level but the faults. The browser level runs after the others, in a process of its own. Words are
 * passed on to mocha: `npm run test:all -- --grep "PUBLIC_URL"`. `LEVELS=integration,e2e` leaves out the levels of `npm test`.
 *
 * Files with failures run once more, one after the other. One that passes then is listed as flaky, to be fixed; one that fails
 * again, and more than a few of them, fail the run.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './prepare/run.mjs';

/** More failed files at once are no coincidence. */
const MAX_RERUN_FILES = 3;

const folder = mkdtempSync(join(tmpdir(), 'hindsight-tests-'));
const counts = { passed: 0, failed: 0, skipped: 0, flaky: 0 };
const flaky = [];
let failedRuns = 0;
for (const config of ['.mocharc.all.cjs', '.mocharc.browser.cjs']) {
  const run = await runMocha(config);
  for (const name of ['passed', 'failed', 'skipped']) counts[name] += run[name];
  if (run.status === 0) continue;
  if (await passesAgain(config, run)) {
    flaky.push(...run.failedFiles);
    counts.failed -= run.failed;
    counts.flaky += run.failed;
  } else failedRuns++;
}
rmSync(folder, { recursive: true });
for (const file of flaky) console.log(`flaky: ${file} failed and passed when it ran again`);
console.log(
  `\nall levels: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped, ${counts.flaky} flaky`,
);
process.exitCode = failedRuns > 0 ? 1 : 0;

/** Runs the files with failures again, if there are few of them and the run itself came to its end. */
async function passesAgain(config, { failedFiles, isComplete }) {
  if (!isComplete || failedFiles.length === 0 || failedFiles.length > MAX_RERUN_FILES) return false;
  if (!failedFiles.every((file) => existsSync(join(ROOT, file)))) return false; // a failure outside of a file
  console.log(`\nruns again: ${failedFiles.join(' ')}`);
  const { status } = await runMocha(config, failedFiles);
  return status === 0;
}

/**
 * Runs the files of a configuration, or those given, and shows what is printed as it comes. Resolves to the exit status, the
 * counts, the files with failures, and whether the reporter wrote its last line.
 */
async function runMocha(config, files = []) {
  const failures = join(folder, `${config}.json`);
  const words = ['node_modules/mocha/bin/mocha.js', '--config', config, ...process.argv.slice(2)];
  const env = { ...process.env, FAILED_FILES: failures, ...(files.length > 0 && { TEST_FILES: files.join(',') }) };
  const child = spawn(process.execPath, words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    output += chunk;
  });
  const status = await new Promise((resolve) => child.once('close', resolve));
  const closing = /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(output);
  const [passed, failed, skipped] = [1, 2, 3].map((index) => Number(closing?.[index] ?? 0));
  const failedFiles = closing === null ? [] : JSON.parse(readFileSync(failures, 'utf8'));
  return { status, passed, failed, skipped, failedFiles, isComplete: closing !== null };
}
