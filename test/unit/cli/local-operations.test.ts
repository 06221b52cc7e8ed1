import assert from 'node:assert/strict';
import type { Operations } from '../../../src/operations/operations-port.js';
import { resolveProjections } from '../../../src/cli/local-operations.js';

/** A process that keeps these projections, and knows this of the others. */
const keeping = (known: readonly string[], elsewhere?: string): Operations =>
  ({
    projections: () => Promise.resolve(known),
    elsewhere: () => Promise.resolve(elsewhere),
  }) as Partial<Operations> as Operations;

const OTHERS = 'shares 2-3 are kept by two:2';

describe('the projections that a command works on', () => {
  async function chosen(
    operations: Operations,
    projection?: string,
  ): Promise<{ names: readonly string[]; told: string[] }> {
    const told: string[] = [];
    return { names: await resolveProjections(operations, projection, (text) => told.push(text)), told };
  }

  it('are all that the process keeps, and it is told who keeps the rest', async () => {
    assert.deepEqual(await chosen(keeping(['access', 'traces'])), { names: ['access', 'traces'], told: [] });
    assert.deepEqual(await chosen(keeping(['traces/0'], OTHERS)), {
      names: ['traces/0'],
      told: [`${OTHERS}: run this there too`],
    });
  });

  it('are the one that is asked for, or none that there is', async () => {
    assert.deepEqual(await chosen(keeping(['traces/0', 'logs/0'], OTHERS), 'logs/0'), { names: ['logs/0'], told: [] });
    await assert.rejects(chosen(keeping(['traces/0'], OTHERS), 'traces/3'), {
      code: 'not-found',
      message: `there is no projection "traces/3"; there are traces/0; ${OTHERS}`,
    });
  });

  it('are never none at all: a check that compares nothing has not passed', async () => {
    await assert.rejects(chosen(keeping([], OTHERS)), {
      code: 'unavailable',
      message: /keeps no read models at the moment; shares 2-3 are kept by two:2\n {2}→ /,
    });
    await assert.rejects(chosen(keeping([])), { code: 'unavailable' });
  });
});
