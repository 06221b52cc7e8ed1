import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { EVENT_TYPES } from '../../../../src/streams/events/event-registry.js';
import { eventShapes, SHAPES_FILE, type EventShapes } from '../../../support/golden-log/event-shapes.js';

describe('Shapes of events', function () {
  this.timeout(60_000);
  const frozen = JSON.parse(readFileSync(SHAPES_FILE, 'utf8')) as EventShapes;
  const shapes = eventShapes();

  it('are frozen for every type that was ever written', () => {
    assert.deepEqual(
      Object.keys(frozen).sort(),
      [...EVENT_TYPES].sort(),
      'run node dist/test/support/golden-log/write.js',
    );
  });

  it('never change: what changes is a new version, with a step that leads to it', () => {
    for (const [type, shape] of Object.entries(shapes)) {
      assert.equal(
        shape,
        frozen[type],
        `${type} was changed after it was written: leave it, add the next version and an upcaster`,
      );
    }
  });

  it('are told apart by a member, by whether it may be absent, and by its type', () => {
    assert.match(shapes['MemberSet.v1'], /kind\?: "application" \| "user"/);
    assert.match(shapes['GridCreated.v1'], /^\{ actor: string; at: number; gridId: string; name: string \}$/);
    assert.match(
      shapes['TracesReceived.v1'],
      /partRevisions\?: \(number\)\[\]; parts\?: number; receivedAt: number; rejected: \(number\)\[\]/,
    );
  });
});
