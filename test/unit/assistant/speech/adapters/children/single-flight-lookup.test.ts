import assert from 'node:assert/strict';
import { SingleFlightLookup } from '../../../../../../src/assistant/speech/adapters/children/single-flight-lookup.js';

describe('A search', () => {
  it('is shared while it is under way, repeated until something is found, and not after that', async () => {
    let looked = 0;
    const search = new SingleFlightLookup(async () => (++looked < 3 ? undefined : 'engine'));
    assert.deepEqual(await Promise.all([search.result(), search.result(), search.result()]), [
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(looked, 1);
    assert.equal(await search.result(), undefined);
    assert.deepEqual(await Promise.all([search.result(), search.result()]), ['engine', 'engine']);
    assert.equal(await search.result(), 'engine');
    assert.equal(looked, 3);
  });

  it('that fails is made again', async () => {
    let looked = 0;
    const search = new SingleFlightLookup(async () => {
      if (++looked === 1) throw new Error('broken');
      return 1;
    });
    await assert.rejects(search.result(), /broken/);
    assert.equal(await search.result(), 1);
  });
});
