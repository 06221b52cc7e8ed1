import assert from 'node:assert/strict';
import { evolveMaintenance, type SilenceEvent } from '../../../src/projections/maintenance-fold.js';
import {
  MAINTENANCE_BOUNDS,
  type MaintenanceDocument,
} from '../../../src/read-models/documents/maintenance-documents.js';

const MATCHERS = [{ label: 'service', operator: '=', value: 'checkout' }];
const by = (at: number) => ({ actor: 'owner', at, gridId: 'g' });
const silence = (startsAt: number, endsAt: number, id = 'x') => ({
  ...{ id, matchers: MATCHERS, reason: 'upgrade', startsAt, endsAt },
});
const created = (at: number, startsAt: number, endsAt: number, id?: string): SilenceEvent => ({
  type: 'SilenceCreated.v1',
  data: { ...by(at), silence: silence(startsAt, endsAt, id) },
});
const changed = (at: number, startsAt: number, endsAt: number): SilenceEvent => ({
  type: 'SilenceChanged.v1',
  data: { ...by(at), silence: silence(startsAt, endsAt) },
});
const deleted = (at: number): SilenceEvent => ({ type: 'SilenceDeleted.v1', data: { ...by(at), silenceId: 'x' } });

function fold(...events: readonly SilenceEvent[]): (readonly [from: number, to: number])[] {
  let document: MaintenanceDocument | undefined;
  for (const event of events) document = evolveMaintenance(document, event);
  return (document?.periods ?? []).map(({ fromMs, toMs }) => [fromMs, toMs] as const);
}

describe('planned maintenance', () => {
  const cases: readonly [name: string, given: SilenceEvent[], then: (readonly [number, number])[]][] = [
    ['is a silence that was created before it begins', [created(1, 10, 20)], [[10, 20]]],
    ['is no silence that begins at once: it may hide what has just failed', [created(10, 10, 20)], []],
    ['is no silence of the past', [created(10, 5, 20)], []],
    ['moves with a change before it begins', [created(1, 10, 20), changed(2, 30, 40)], [[30, 40]]],
    [
      'ends early by a change',
      [created(1, 10, 20), changed(15, 10, 16)],
      [
        [10, 15],
        [15, 16],
      ],
    ],
    [
      'is extended while it lasts',
      [created(1, 10, 20), changed(15, 10, 30)],
      [
        [10, 15],
        [15, 30],
      ],
    ],
    ['is not extended once it is over', [created(1, 10, 20), changed(25, 10, 30)], [[10, 20]]],
    ['keeps what has passed when it is deleted', [created(1, 10, 20), deleted(15)], [[10, 15]]],
    ['is gone when it is deleted before it begins', [created(1, 10, 20), deleted(5)], []],
    ['keeps what is over when it is deleted', [created(1, 10, 20), deleted(25)], [[10, 20]]],
    ['plans no past by a change', [created(1, 10, 20), changed(25, 12, 24)], [[10, 20]]],
    [
      'becomes planned when an unplanned silence moves to the future',
      [created(9, 9, 12), changed(10, 20, 30)],
      [[20, 30]],
    ],
  ];
  for (const [name, given, then] of cases) it(name, () => assert.deepEqual(fold(...given), then));

  it('is forgotten with the counts of objectives, and is bounded', () => {
    assert.deepEqual(fold(created(1, 10, 20, 'a'), created(MAINTENANCE_BOUNDS.keptMs + 20, 2e10, 3e10, 'b')), [
      [2e10, 3e10],
    ]);
    const many = Array.from({ length: MAINTENANCE_BOUNDS.periods + 5 }, (_, i) => created(1, 10 + i, 1e6, `s${i}`));
    assert.equal(fold(...many).length, MAINTENANCE_BOUNDS.periods);
  });
});
