'use strict';

// The browser level: files share one service and one browser, so they run one after the other.
module.exports = { ...require('./.mocharc.cjs'), spec: ['dist/test/browser/**/*.test.js'], parallel: false };
