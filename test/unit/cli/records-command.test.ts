import assert from 'node:assert/strict';
import { formatRecordNotes } from '../../../src/cli/commands/records-command.js';

describe('the notes below the record accounts', () => {
  it('name what the figures leave out, and are absent otherwise', () => {
    assert.deepEqual(formatRecordNotes({ grids: [], uncounted: [], unreadableEvents: 0 }), []);
    assert.deepEqual(formatRecordNotes({ grids: [], uncounted: ['traces', 'logs'], unreadableEvents: 1 }), [
      'not counted while they are being rebuilt: traces, logs',
      'not counted: 1 unreadable event, which may contain records (hindsight dead-letters)',
    ]);
  });
});
