import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { EVENT_TYPES } from '../../../../src/streams/events/event-registry.js';
import { eventShapes, SHAPES_FILE, type EventShapes } from '../../../support/golden-log/event-shapes.js';

describe('Shapes of events', function () {
  const frozen = JSON.parse(readFileSync(SHAPES_FILE, 'utf8')) as EventShapes;
  const shapes = eventShapes();

  it('are frozen for every stored type', () => {
    assert.deepEqual(
      Object.keys(frozen).sort(),
      [...EVENT_TYPES].sort(),
      'run node dist/test/support/golden-log/write.js',
    );
  });

  it('never change: a change needs a new version with an upcaster', () => {
    for (const [type, shape] of Object.entries(shapes)) {
      assert.equal(
        shape,
        frozen[type],
        `${type} was changed after it was written: leave it, add the next version and an upcaster`,
      );
    }
  });

  it('differ by members, optionality and types', () => {
    assert.match(shapes['MemberSet.v1'], /kind\?: "application" \| "user"/);
    assert.match(shapes['GridCreated.v1'], /^\{ actor: string; at: number; gridId: string; name: string \}$/);
    assert.match(
      shapes['TracesReceived.v1'],
      /partRevisions\?: \(number\)\[\]; parts\?: number; receivedAt: number; rejected: \(number\)\[\]/,
    );
  });
});
