import assert from 'node:assert/strict';
import {
  VIEW_BOUNDS,
  viewsDecider,
  type NewView,
  type ViewCommand,
  type ViewsEvent,
} from '../../../src/commands/views/view-decider.js';

const GRID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const ID = '5d2f8e61-7c3b-4a90-9e14-6b0d8f2a1c35';
const NEW: NewView = {
  name: 'Slow requests',
  description: '',
  signal: 'spans',
  where: 'duration > 1s',
  groupBy: ['service'],
  select: [{ fn: 'count', field: '', as: '' }],
  stepSeconds: 0,
  orderBy: [],
  limit: 0,
};
const BY = { actor: 'owner', at: 5, gridId: GRID };
const CREATED_GRID = { type: 'GridCreated.v1', data: { ...BY, at: 1, name: 'shop' } } as unknown as ViewsEvent;
const CREATED: ViewsEvent = { type: 'ViewCreated.v1', data: { ...BY, view: { id: ID, ...NEW } } };

const stateAfter = (...events: readonly ViewsEvent[]) => viewsDecider.evolveAll!(viewsDecider.initialState, events);

describe('the decider of saved views', () => {
  it('creates, changes and deletes a view', () => {
    const create = { ...BY, type: 'CreateView', viewId: ID, view: NEW } as const;
    assert.deepEqual(viewsDecider.decide(create, stateAfter(CREATED_GRID)), [CREATED]);
    const view = { ...NEW, name: 'Slower' };
    assert.deepEqual(viewsDecider.decide({ ...create, type: 'ChangeView', view }, stateAfter(CREATED_GRID, CREATED)), [
      { type: 'ViewChanged.v1', data: { ...BY, view: { id: ID, ...view } } },
    ]);
    assert.deepEqual(
      viewsDecider.decide({ ...BY, type: 'DeleteView', viewId: ID }, stateAfter(CREATED_GRID, CREATED)),
      [{ type: 'ViewDeleted.v1', data: { ...BY, viewId: ID } }],
    );
  });

  it('changes nothing when the view is already so', () => {
    const change = { ...BY, type: 'ChangeView', viewId: ID, view: { ...NEW } } as const;
    assert.deepEqual(viewsDecider.decide(change, stateAfter(CREATED_GRID, CREATED)), []);
  });

  it('refuses what does not exist, blank names, too many views, and changes of another version', () => {
    const rejectedBy = (command: ViewCommand, events: readonly ViewsEvent[] = [CREATED_GRID, CREATED]) =>
      (viewsDecider.decide(command, events.length === 0 ? undefined : stateAfter(...events)) as { rejected: string })
        .rejected;
    const create = { ...BY, type: 'CreateView', viewId: 'another', view: NEW } as const;
    assert.equal(rejectedBy(create, []), 'not-found');
    assert.equal(rejectedBy({ ...create, type: 'ChangeView' }), 'not-found');
    assert.equal(rejectedBy({ ...create, view: { ...NEW, name: ' ' } }), 'invalid-request');
    assert.equal(rejectedBy({ ...BY, type: 'DeleteView', viewId: ID, onlyIf: () => false }), 'precondition-failed');
    const many = Array.from({ length: VIEW_BOUNDS.viewsOfAGrid }, (_, i): ViewsEvent => ({
      type: 'ViewCreated.v1',
      data: { ...BY, view: { id: `v${i}`, ...NEW } },
    }));
    assert.equal(rejectedBy(create, [CREATED_GRID, ...many]), 'conflict');
  });
});
