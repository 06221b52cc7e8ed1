'use strict';
const { availableParallelism } = require('node:os');

// `npm test`: the unit and contract tests, and one journey through every layer.
module.exports = {
  require: ['./scripts/property-seed.mjs'],
  spec: ['dist/test/unit/**/*.test.js', 'dist/test/journey/**/*.test.js'],
  // Files share nothing, so they run side by side.
  parallel: true,
  jobs: Math.max(2, availableParallelism()),
  // Nothing is judged by time: a machine that is busy with other work only takes longer, even fifteen times as long.
  timeout: 300_000,
  reporter: './scripts/test-reporter.cjs',
  'enable-source-maps': true,
  'forbid-only': true,
};
