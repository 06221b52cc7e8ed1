import assert from 'node:assert/strict';
import type { Grid } from '../../../src/operations/administration/administration-port.js';
import { resolveGridId } from '../../../src/cli/command-target.js';
import { hasCode } from '../../../src/errors.js';

const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const named = (...names: string[]) => ({
  listGrids: () => Promise.resolve(names.map((name, at) => ({ gridSecondaryId: id(at), name }) as Grid)),
});

describe('Grid of a command', () => {
  it('is found by id without a query', async () => {
    const nobody = { listGrids: () => Promise.reject(new Error('asked')) };
    assert.equal(
      await resolveGridId(nobody, 'ABCDEF00-0000-4000-8000-000000000000'),
      'abcdef00-0000-4000-8000-000000000000',
    );
  });

  it('is found by a unique name', async () => {
    assert.equal(await resolveGridId(named('shop', 'Shop', 'other'), 'Shop'), id(1));
    await assert.rejects(
      resolveGridId(named('shop'), 'sho'),
      (error: Error) => hasCode(error, 'not-found') && error.message.includes('hindsight grids list'),
    );
    await assert.rejects(
      resolveGridId(named('shop', 'x', 'shop'), 'shop'),
      (error: Error) =>
        hasCode(error, 'invalid-request') && [id(0), id(2)].every((each) => error.message.includes(each)),
    );
  });
});
