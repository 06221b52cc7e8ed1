import assert from 'node:assert/strict';
import {
  extractRecordStates,
  findUnreadStates,
} from '../../../../../src/assistant/analyst/understanding/record-states.js';

const STATES: Readonly<Record<string, readonly string[]>> = {
  'which are open': ['open'],
  'unresolved ones': ['unended'],
  'which are not yet resolved': ['unended'],
  'still not closed': ['unended'],
  'which are still open': ['open'],
  'which are no longer open': ['ended'],
  'currently resolved': ['ended'],
  'right now': ['open'],
  'planned ones': ['planned'],
  'not yet active': ['planned'],
  'which are not active': ['unopen'],
  'reopened or open': ['reopened', 'open'],
  'open and resolved': ['open', 'ended'],
  'which came back after they were resolved': ['reopened'],
  'resolved and then reopened': ['reopened'],
  'resolved or reopened': ['ended', 'reopened'],
};

describe('states of records', () => {
  for (const [text, states] of Object.entries(STATES))
    it(`are read from “${text}”`, () => assert.deepEqual(extractRecordStates(text).recordStates, states));

  it('are left out where the text names none', () => {
    assert.deepEqual(extractRecordStates('over all services'), {});
  });

  it('are named where no filter applies them', () => {
    assert.deepEqual(findUnreadStates('which were not reopened'), ['not reopened']);
    assert.deepEqual(findUnreadStates('open ones that ended'), ['ended']);
    assert.deepEqual(extractRecordStates('open ones that ended'), {});
    assert.deepEqual(findUnreadStates('open or resolved'), []);
  });
});
