'use strict';
const { reporters, Runner } = require('mocha');

/** How many of the slowest suites are named. */
const NAMED = 10;

/**
 * Mocha's dots, then what took longest, then the name of every test that was skipped, then one plain line that people and CI
 * read: `N passed, N failed, N skipped`. A hook that failed counts as a failed test, as in mocha's exit code.
 */
class CountingReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    this.skipped = [];
    this.suites = [];
    const began = new Map();
    runner.on(Runner.constants.EVENT_SUITE_BEGIN, (suite) => began.set(suite, performance.now()));
    runner.on(Runner.constants.EVENT_SUITE_END, (suite) => {
      if (suite.parent?.root) this.suites.push({ title: suite.title, ms: performance.now() - began.get(suite) });
    });
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => this.skipped.push(test.fullTitle()));
  }

  epilogue() {
    super.epilogue();
    const slowest = this.suites.sort((a, b) => b.ms - a.ms).slice(0, NAMED);
    for (const { title, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${title}`);
    for (const title of this.skipped) console.log(`skipped: ${title}`);
    const { passes, failures, pending } = this.stats;
    console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
  }
}

module.exports = CountingReporter;
