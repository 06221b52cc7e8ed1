'use strict';
const LEVELS = ['unit', 'journey', 'integration', 'e2e', 'browser'];

// `npm run test:all`: every level but the faults.
module.exports = { ...require('./.mocharc.cjs'), spec: LEVELS.map((level) => `dist/test/${level}/**/*.test.js`) };
