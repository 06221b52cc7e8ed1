import assert from 'node:assert/strict';
import type { Operations } from '../../../src/operations/operations-port.js';
import { resolveProjections } from '../../../src/cli/local-operations.js';

/** A process that owns these projections, and describes the owners of the others. */
const owning = (known: readonly string[], elsewhere?: string): Operations =>
  ({
    projections: () => Promise.resolve(known),
    elsewhere: () => Promise.resolve(elsewhere),
  }) as Partial<Operations> as Operations;

const OTHERS = 'two:2 owns shards 2-3';

describe('projections of a command', () => {
  async function resolve(
    operations: Operations,
    projection?: string,
  ): Promise<{ names: readonly string[]; notices: string[] }> {
    const notices: string[] = [];
    return { names: await resolveProjections(operations, projection, (text) => notices.push(text)), notices };
  }

  it('are all that the process owns, with a note on other owners', async () => {
    assert.deepEqual(await resolve(owning(['access', 'traces'])), { names: ['access', 'traces'], notices: [] });
    assert.deepEqual(await resolve(owning(['traces/0'], OTHERS)), {
      names: ['traces/0'],
      notices: [`${OTHERS}; run this command there, too`],
    });
  });

  it('are the named one, unless it does not exist', async () => {
    assert.deepEqual(await resolve(owning(['traces/0', 'logs/0'], OTHERS), 'logs/0'), {
      names: ['logs/0'],
      notices: [],
    });
    await assert.rejects(resolve(owning(['traces/0'], OTHERS), 'traces/3'), {
      code: 'not-found',
      message: `There is no projection "traces/3"; available: traces/0; ${OTHERS}`,
    });
  });

  it('are never empty: a check that compares nothing must not pass', async () => {
    await assert.rejects(resolve(owning([], OTHERS)), {
      code: 'unavailable',
      message: /owns no shards yet; two:2 owns shards 2-3\n {2}→ /,
    });
    await assert.rejects(resolve(owning([])), { code: 'unavailable' });
  });
});
