'use strict';
const { reporters, Runner } = require('mocha');

/**
 * Mocha's dots, then the name of every test that was skipped, then one plain line that people and CI read:
 * `N passed, N failed, N skipped`. A hook that failed counts as a failed test, as in mocha's exit code.
 */
class CountingReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    this.skipped = [];
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => this.skipped.push(test.fullTitle()));
  }

  epilogue() {
    super.epilogue();
    for (const title of this.skipped) console.log(`skipped: ${title}`);
    const { passes, failures, pending } = this.stats;
    console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
  }
}

module.exports = CountingReporter;
