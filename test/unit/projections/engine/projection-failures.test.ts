import assert from 'node:assert/strict';
import { summarizeError } from '../../../../src/projections/engine/projection-failures.js';

describe('summary of an error', () => {
  it('is the first line of the message, cut', () => {
    assert.equal(summarizeError(new Error('disk full\n    at commit')), 'disk full');
    assert.equal(summarizeError('plain'), 'plain');
    assert.equal(summarizeError(undefined), 'undefined');
    assert.equal(summarizeError(new Error('x'.repeat(5000))).length, 200);
  });

  it('holds no credentials of an address', () => {
    assert.equal(
      summarizeError(new Error('no answer from mongodb://user:pass@host:1/db')),
      'no answer from mongodb://host:1/db',
    );
  });
});
