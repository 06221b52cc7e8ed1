import assert from 'node:assert/strict';
import { SubscribedTopics } from '../../../../src/queries/diagnostics/subscribed-topics.js';

describe('SubscribedTopics', () => {
  it('contains a topic, and its Grid, for ten seconds after it was read', () => {
    let now = 0;
    const followed = new SubscribedTopics(() => now);
    followed.record('shop', 'health');
    assert.deepEqual(
      [followed.hasGrid('shop'), followed.hasTopic('shop', 'health'), followed.hasTopic('shop', 'trends')],
      [true, true, false],
    );
    assert.equal(followed.hasGrid('other'), false);
    now = 9_999;
    followed.record('shop', 'trends');
    assert.equal(followed.hasTopic('shop', 'health'), true);
    now = 10_000;
    assert.deepEqual([followed.hasGrid('shop'), followed.hasTopic('shop', 'health')], [true, false]);
    now = 20_000;
    assert.equal(followed.hasGrid('shop'), false);
  });

  it('forgets Grids that nobody follows any more', () => {
    let now = 0;
    const followed = new SubscribedTopics(() => now);
    for (let n = 0; n < 20_000; n++) {
      now += 10;
      followed.record(`grid ${n}`, 'health');
    }
    const { size } = (followed as unknown as { readAt: Map<string, unknown> }).readAt;
    assert.ok(size <= 2_000, `${size} Grids`);
  });
});
