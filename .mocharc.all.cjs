'use strict';
const { availableParallelism } = require('node:os');

// What `npm run test:all` runs side by side: every level but the browser and the faults. LEVELS selects some of them.
const levels = process.env.LEVELS?.split(',') ?? ['unit', 'journey', 'integration', 'e2e'];

module.exports = {
  ...require('./.mocharc.cjs'),
  spec: process.env.TEST_FILES?.split(',') ?? levels.map((level) => `dist/test/${level}/**/*.test.js`),
  // One more than cores: these tests often wait for processes of their own.
  // Files that run again do so one after the other.
  parallel: process.env.TEST_FILES === undefined,
  jobs: Math.max(2, availableParallelism()) + 1,
};
