'use strict';
const LEVELS = ['unit', 'journey', 'integration', 'e2e'];

// What `npm run test:all` runs side by side: every level but the browser and the faults.
module.exports = { ...require('./.mocharc.cjs'), spec: LEVELS.map((level) => `dist/test/${level}/**/*.test.js`) };
