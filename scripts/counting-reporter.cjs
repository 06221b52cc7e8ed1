'use strict';
const { reporters, Runner } = require('mocha');

/** How many of the slowest suites are named. */
const NAMED = 10;

/** The folder of `test` that a suite stands in. */
const roomOf = (file = '') => /[\\/]dist[\\/]test[\\/]([^\\/]+)/.exec(file)?.[1] ?? 'elsewhere';

/** What failed is said at once too, so that a run that is ended early has told it. */
const told = (test, error) => console.log(`\nfailed: ${test.fullTitle()}\n  ${String(error?.message ?? error).split('\n').slice(0, 12).join('\n  ')}`);

/**
 * Mocha's dots, then how long each room and the slowest suites took, then the name of every test that was skipped, then one
 * plain line that people and CI read: `N passed, N failed, N skipped`. A hook that failed counts as a failed test, as in
 * mocha's exit code.
 */
class CountingReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    this.skipped = [];
    this.suites = [];
    const began = new Map();
    runner.on(Runner.constants.EVENT_SUITE_BEGIN, (suite) => began.set(suite, performance.now()));
    runner.on(Runner.constants.EVENT_SUITE_END, (suite) => {
      if (suite.parent?.root) this.suites.push({ title: suite.title, room: roomOf(suite.file), ms: performance.now() - began.get(suite) });
    });
    runner.on(Runner.constants.EVENT_TEST_FAIL, told);
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => this.skipped.push(test.fullTitle()));
  }

  epilogue() {
    super.epilogue();
    const rooms = new Map();
    for (const { room, ms } of this.suites) rooms.set(room, (rooms.get(room) ?? 0) + ms);
    console.log(`by room, s: ${[...rooms].sort((a, b) => b[1] - a[1]).map(([room, ms]) => `${room} ${(ms / 1000).toFixed(0)}`).join(', ')}`);
    const slowest = this.suites.sort((a, b) => b.ms - a.ms).slice(0, NAMED);
    for (const { title, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${title}`);
    for (const title of this.skipped) console.log(`skipped: ${title}`);
    const { passes, failures, pending } = this.stats;
    console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
  }
}

module.exports = CountingReporter;
