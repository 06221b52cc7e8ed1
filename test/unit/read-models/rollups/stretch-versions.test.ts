import assert from 'node:assert/strict';
import { IntervalVersions } from '../../../../src/read-models/rollups/rollup-version-reader.js';

describe('versions of stretches', () => {
  it('stay until the stretch changes, and are never used twice', () => {
    const versions = new IntervalVersions();
    const before = [versions.version('grid', 0), versions.version('grid', 60)];
    versions.markChanged('grid', 60);
    const once = versions.version('grid', 60);
    versions.markChanged('grid', 60);
    assert.equal(versions.version('grid', 0), before[0]);
    assert.equal(new Set([before[1], once, versions.version('grid', 60)]).size, 3);
    assert.equal(versions.version('other', 60), before[1]);
  });

  it('are others for each collection, and for each that takes its place', () => {
    assert.notEqual(new IntervalVersions().version('grid', 0), new IntervalVersions().version('grid', 0));
  });

  it('are all others once more have changed than are remembered', () => {
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
