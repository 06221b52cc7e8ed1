'use strict';
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

/** How many of the slowest files are listed. */
const LISTED_FILES = 10;

/** Path of a test file below the folder of tests. */
const shortPath = (file = 'unknown file') => file.replace(/^.*[\\/]dist[\\/]test[\\/]/, '').replace(/\.js$/, '');

/** Failures are printed at once as well, so that a run that is cut short has reported them. */
function printFailure(test, error) {
  const message = String(error?.message ?? error)
    .split('\n')
    .slice(0, 12)
    .join('\n  ');
  console.log(`\nfailed: ${test.fullTitle()}\n  ${message}`);
}

/**
 * Mocha's dots, then the slowest files, then the name of every test that was skipped, then one plain line that people and CI
 * read: `N passed, N failed, N skipped`. A hook that failed counts as a failed test, as in mocha's exit code.
 */
class TestReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    this.skipped = [];
    /** Time in tests and hooks by file, in ms: files run side by side, so these do not add up to the time of the run. */
    this.durations = new Map();
    const addDuration = ({ file, duration = 0 }) =>
      this.durations.set(file, (this.durations.get(file) ?? 0) + duration);
    runner.on(Runner.constants.EVENT_TEST_END, addDuration);
    runner.on(Runner.constants.EVENT_HOOK_END, addDuration);
    runner.on(Runner.constants.EVENT_TEST_FAIL, printFailure);
    /** Files with failures, which `npm run test:all` runs again. */
    this.failedFiles = new Set();
    runner.on(Runner.constants.EVENT_TEST_FAIL, ({ file }) => this.failedFiles.add(`dist/test/${shortPath(file)}.js`));
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => this.skipped.push(test.fullTitle()));
  }

  epilogue() {
    super.epilogue();
    const slowest = [...this.durations].sort((a, b) => b[1] - a[1]).slice(0, LISTED_FILES);
    console.log('slowest files:');
    for (const [file, ms] of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${shortPath(file)}`);
    for (const title of this.skipped) console.log(`skipped: ${title}`);
    if (process.env.FAILED_FILES) writeFileSync(process.env.FAILED_FILES, JSON.stringify([...this.failedFiles]));
    const { passes, failures, pending } = this.stats;
    console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
  }
}

module.exports = TestReporter;
