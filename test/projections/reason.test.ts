import assert from 'node:assert/strict';
import { reasonOf } from '../../src/projections/reason.js';

describe('reason of a failure', () => {
  it('is the first line of the message, cut', () => {
    assert.equal(reasonOf(new Error('disk full\n    at commit')), 'disk full');
    assert.equal(reasonOf('plain'), 'plain');
    assert.equal(reasonOf(undefined), 'undefined');
    assert.equal(reasonOf(new Error('x'.repeat(5000))).length, 200);
  });

  it('holds no credentials of an address', () => {
    assert.equal(reasonOf(new Error('no answer from mongodb://user:pass@host:1/db')), 'no answer from mongodb://host:1/db');
  });
});
