import assert from 'node:assert/strict';
import { StretchVersions } from '../../../src/read-models/rollups/stretch-versions.js';

describe('versions of stretches', () => {
  it('stay until the stretch changes, and are never used twice', () => {
    const versions = new StretchVersions();
    const before = [versions.of('grid', 0), versions.of('grid', 60)];
    versions.change('grid', 60);
    const once = versions.of('grid', 60);
    versions.change('grid', 60);
    assert.equal(versions.of('grid', 0), before[0]);
    assert.equal(new Set([before[1], once, versions.of('grid', 60)]).size, 3);
    assert.equal(versions.of('other', 60), before[1]);
  });

  it('are others for each collection, and for each that takes its place', () => {
    assert.notEqual(new StretchVersions().of('grid', 0), new StretchVersions().of('grid', 0));
  });

  it('are all others once more have changed than are remembered', () => {
    const versions = new StretchVersions(2);
    const [first, second] = [versions.of('grid', 0), (versions.change('grid', 60), versions.of('grid', 60))];
    versions.change('grid', 120);
    assert.deepEqual([versions.of('grid', 0), versions.of('grid', 60)], [first, second]);
    versions.change('grid', 180);
    assert.ok(![first, second].includes(versions.of('grid', 0)) && ![first, second].includes(versions.of('grid', 60)));
  });
});
