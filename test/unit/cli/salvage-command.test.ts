import assert from 'node:assert/strict';
import { formatSalvage } from '../../../src/cli/commands/salvage-command.js';
import { toPosition } from '../../../src/streams/adapters/sqlite/event-row-format.js';

const at = toPosition;

describe('the result of a salvage', () => {
  it('says that nothing is missing', () => {
    assert.equal(
      formatSalvage('saved', {
        events: 1,
        position: at(1),
        missing: 0,
        ranges: [],
        truncatedPages: 0,
        unreadablePages: 0,
      }),
      'saved: 1 event up to position 0000000000000001 saved, none missing',
    );
  });

  it('names streams, revisions and positions of what is missing, known or bounded', () => {
    const ranges = [
      { stream: 'grid-a', fromRevision: 3, toRevision: 4, events: 2, positions: [at(7), at(9)] },
      { stream: 'grid-b', fromRevision: 5, toRevision: 5, events: 1, after: at(8), before: at(10), positions: [] },
    ];
    assert.deepEqual(
      formatSalvage('saved', { events: 0, missing: 3, ranges, truncatedPages: 2, unreadablePages: 1 }).split('\n'),
      [
        'saved: 0 events up to position none saved, 3 missing',
        '  missing: 2 events of grid-a, revisions 3 to 4, position 0000000000000007 to 0000000000000009',
        '  missing: 1 event of grid-b, revision 5, after position 0000000000000008, before 000000000000000a',
        '  the file is truncated by 2 pages: events that were stored only there are not counted as missing',
        '  1 page cannot be read from disk: events that were stored only there are not counted as missing',
      ],
    );
  });
});
