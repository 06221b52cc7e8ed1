'use strict';

const common = require('./.mocharc.cjs');

// The browser level: files share one service and one browser, so they run one after the other.
module.exports = {
  ...common,
  require: [...common.require, './dist/test/browser/support/print-pages.js'],
  spec: process.env.TEST_FILES?.split(',') ?? ['dist/test/browser/**/*.test.js'],
  parallel: false,
};
