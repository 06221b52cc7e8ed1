import assert from 'node:assert/strict';
import { maintenanceCollection } from '../../../src/read-models/documents/maintenance-documents.js';
import { sloCollection, sloDocumentId, type SloDocument } from '../../../src/read-models/documents/slo-documents.js';
import type { SloEvent, SloEventsCounted, StoredSlo } from '../../../src/streams/events/slo-events.js';
import { gridStream, slosStream } from '../../../src/streams/stream-names.js';
import { ProjectedLog } from './engine/support/projected.js';

const slo = (id: string, serviceName = 'checkout', objective = 99): StoredSlo => ({
  ...{ id, name: id, objective, windowDays: 28, calendar: false, alerts: true },
  indicator: {
    ...{ type: 'availability', serviceName, operation: '', thresholdMs: 0 },
    ...{ signal: '', good: '', all: '' },
  },
});
const by = (at: number) => ({ actor: 'owner', at, gridId: 'a' });
const counted = (
  [after, through]: readonly [number, number],
  hours: SloEventsCounted['data']['hours'],
  definedAt = 1,
): SloEventsCounted => ({
  type: 'SloEventsCounted.v2',
  data: { gridId: 'a', sloId: 's1', definedAt, after, through, hours, at: 9 },
});

async function project(...events: (SloEvent | SloEventsCounted)[]): Promise<SloDocument | undefined> {
  const log = new ProjectedLog();
  for (const { type, data } of events) {
    const stream = type === 'SloEventsCounted.v2' ? slosStream('a') : gridStream('a');
    await log.events.append(stream, 'any', [{ id: crypto.randomUUID(), type, data }]);
  }
  await log.settle();
  const found = await log.store.get(sloCollection(1), sloDocumentId('a', 's1'));
  await log.remove();
  return found;
}

const created: SloEvent = { type: 'SloCreated.v2', data: { ...by(1), slo: slo('s1') } };

describe('objectives in the read model', () => {
  it('add up what was counted: late events correct an hour', async () => {
    const found = await project(
      created,
      counted([-1, 10], [[5, 8, 10]]),
      counted(
        [10, 20],
        [
          [4, 1, 2],
          [5, 1, 1],
        ],
      ),
    );
    assert.deepEqual(found?.counts, {
      definedAt: 1,
      through: 20,
      hours: [
        [4, 1, 2],
        [5, 9, 11],
      ],
    });
  });

  it('ignore counts that are already included', async () => {
    const found = await project(created, counted([-1, 10], [[5, 8, 10]]), counted([-1, 12], [[5, 9, 12]]));
    assert.deepEqual(found?.counts, { definedAt: 1, through: 10, hours: [[5, 8, 10]] });
  });

  it('add up what was counted in maintenance', async () => {
    const [one, other] = [counted([-1, 10], [[5, 8, 10]]), counted([10, 20], [[5, 1, 1]])];
    const found = await project(
      created,
      { ...one, data: { ...one.data, maintenance: [[5, 2, 3]] } },
      { ...other, data: { ...other.data, maintenance: [[5, 1, 1]] } },
    );
    assert.deepEqual([found?.counts.hours, found?.counts.maintenance], [[[5, 9, 11]], [[5, 3, 4]]]);
  });

  it('keep planned maintenance beside them', async () => {
    const log = new ProjectedLog();
    const silence = { id: 'x', matchers: [], reason: 'upgrade', startsAt: 10, endsAt: 20 };
    const data = { ...by(1), silence };
    await log.events.append(gridStream('a'), 'any', [{ id: crypto.randomUUID(), type: 'SilenceCreated.v1', data }]);
    await log.settle();
    assert.deepEqual(await log.store.get(maintenanceCollection(1), 'a'), {
      gridId: 'a',
      periods: [{ silenceId: 'x', matchers: [], fromMs: 10, toMs: 20 }],
    });
    await log.remove();
  });

  it('keep their counts when the objective changes, and start anew when the indicator does', async () => {
    const record = counted([-1, 10], [[5, 8, 10]]);
    const raised: SloEvent = { type: 'SloChanged.v2', data: { ...by(2), slo: slo('s1', 'checkout', 99.9) } };
    const moved: SloEvent = { type: 'SloChanged.v2', data: { ...by(3), slo: slo('s1', 'cart') } };
    assert.equal((await project(created, record, raised))?.counts.through, 10);
    const empty = { definedAt: 3, through: -1, hours: [] };
    assert.deepEqual((await project(created, record, moved, counted([10, 20], [[6, 1, 1]])))?.counts, empty);
    assert.equal(
      await project(created, record, { type: 'SloDeleted.v1', data: { ...by(4), sloId: 's1' } }, record),
      undefined,
    );
  });
});
