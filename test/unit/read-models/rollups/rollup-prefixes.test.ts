import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  decodeGridRollup,
  decodeServiceTotals,
  encodeGridRollup,
} from '../../../../src/read-models/rollups/grid-rollup-codec.js';
import {
  decodeLogRollup,
  decodeLogSeverities,
  encodeLogRollup,
} from '../../../../src/read-models/rollups/log-rollup-codec.js';
import {
  decodeOperations,
  decodeServiceRollup,
  encodeServiceRollup,
} from '../../../../src/read-models/rollups/service-rollup-codec.js';
import { gridRollup, logRollup, serviceRollup } from './support/arbitrary-rollups.js';
import { plain } from './support/plain.js';

describe('the prefix of a rollup', () => {
  it('of a Grid is its services', () => {
    fc.assert(
      fc.property(gridRollup, (rollup) => {
        const bytes = encodeGridRollup(rollup);
        assert.deepEqual(plain(decodeServiceTotals(bytes)), plain({ services: decodeGridRollup(bytes).services }));
      }),
    );
  });

  it('of a service is its operations', () => {
    fc.assert(
      fc.property(serviceRollup, (rollup) => {
        const bytes = encodeServiceRollup(rollup);
        const { service, operations } = decodeServiceRollup(bytes);
        assert.deepEqual(plain(decodeOperations(bytes)), plain({ service, operations }));
      }),
    );
  });

  it('of logs is their severities', () => {
    fc.assert(
      fc.property(logRollup, (rollup) => {
        const bytes = encodeLogRollup(rollup);
        const { service, severities } = decodeLogRollup(bytes);
        assert.deepEqual(decodeLogSeverities(bytes), { service, severities });
      }),
    );
  });

  it('is read without the rest, and rejected under the number of another format', () => {
    const bytes = encodeLogRollup({
      service: 'shop',
      severities: [1, 2, 3, 4, 5, 6],
      templates: [{ template: 'paid', severity: 9, count: 1 }],
      exceptions: [],
    });
    const front = { service: 'shop', severities: [1, 2, 3, 4, 5, 6] };

    assert.deepEqual(decodeLogSeverities(bytes.subarray(0, bytes.length - 3)), front);
    assert.throws(() => decodeLogSeverities(bytes.subarray(0, 8)), { name: 'DamagedRollup' });
    assert.throws(() => decodeOperations(bytes), /format/);
  });
});
