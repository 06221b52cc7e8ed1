import assert from 'node:assert/strict';
import { TraceIdDictionaryCache } from '../../../../src/queries/traces/trace-id-dictionary.js';

describe('the numbers of traces', () => {
  it('are kept for the Grids that were searched since the last release', () => {
    const cache = new TraceIdDictionaryCache(1_000_000);
    const [one, two] = [cache.get('one'), cache.get('two')];
    cache.releaseUnused();
    assert.equal(cache.get('two'), two);
    cache.releaseUnused();
    assert.equal(cache.get('two'), two);
    assert.notEqual(cache.get('one'), one);
    assert.equal(cache.size, cache.get('one').bytes + two.bytes);
  });

  it('of the Grid that was searched longest ago are dropped first', () => {
    const cache = new TraceIdDictionaryCache(1_000_000);
    const [one, two] = [cache.get('one'), cache.get('two')];
    assert.equal(cache.get('one'), one);
    cache.shrinkTo(one.bytes);
    assert.equal(cache.get('one'), one);
    assert.notEqual(cache.get('two'), two);
    cache.shrinkTo(0);
    assert.equal(cache.size, 0);
  });
});
