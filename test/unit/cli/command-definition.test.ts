import assert from 'node:assert/strict';
import { InvalidArgumentError } from 'commander';
import { parseIsoTime, parseWholeNumber, createWholeNumberParser } from '../../../src/cli/command-definition.js';

describe('option values', () => {
  it('accept ISO times with milliseconds', () => {
    assert.equal(parseIsoTime('2026-11-20T12:00:00.125Z'), Date.UTC(2026, 10, 20, 12, 0, 0, 125));
    assert.equal(parseIsoTime('2026-11-20T12:00+01:00'), Date.UTC(2026, 10, 20, 11));
    assert.equal(parseIsoTime('2026-11-20'), Date.UTC(2026, 10, 20));
  });

  for (const text of ['12345', '1', 'Nov 20 2026', 'yesterday', '', '2026-13-01T00:00:00Z', '0000000000000Z']) {
    it(`reject "${text}" as a time`, () => assert.throws(() => parseIsoTime(text), InvalidArgumentError));
  }

  it('accept only whole numbers', () => {
    assert.equal(parseWholeNumber('090'), 90);
    for (const text of ['', '-1', '1.5', '1e3', '1234567890'])
      assert.throws(() => parseWholeNumber(text), InvalidArgumentError, text);
  });

  it('accept whole numbers within inclusive bounds', () => {
    const pageSize = createWholeNumberParser(1, 100);
    assert.deepEqual(['1', '100'].map(pageSize), [1, 100]);
    for (const text of ['0', '101', '', '-1', '1.5', '1e1'])
      assert.throws(() => pageSize(text), InvalidArgumentError, text);
  });
});
