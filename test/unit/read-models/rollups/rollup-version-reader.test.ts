import assert from 'node:assert/strict';
import { IntervalVersions } from '../../../../src/read-models/rollups/rollup-version-reader.js';

describe('versions of time buckets', () => {
  it('stay until the bucket changes, and are never reused', () => {
    const versions = new IntervalVersions();
    const before = [versions.version('grid', 0), versions.version('grid', 60)];
    versions.markChanged('grid', 60);
    const once = versions.version('grid', 60);
    versions.markChanged('grid', 60);
    assert.equal(versions.version('grid', 0), before[0]);
    assert.equal(new Set([before[1], once, versions.version('grid', 60)]).size, 3);
    assert.equal(versions.version('other', 60), before[1]);
  });

  it('differ between collections, and between an instance and its successor', () => {
    assert.notEqual(new IntervalVersions().version('grid', 0), new IntervalVersions().version('grid', 0));
  });

  it('all change once more buckets have changed than are remembered', () => {
    const versions = new IntervalVersions(2);
    const [first, second] = [
      versions.version('grid', 0),
      (versions.markChanged('grid', 60), versions.version('grid', 60)),
    ];
    versions.markChanged('grid', 120);
    assert.deepEqual([versions.version('grid', 0), versions.version('grid', 60)], [first, second]);
    versions.markChanged('grid', 180);
    assert.ok(
      ![first, second].includes(versions.version('grid', 0)) && ![first, second].includes(versions.version('grid', 60)),
    );
  });
});
