import assert from 'node:assert/strict';
import {
  ERROR_GROUP_BOUNDS,
  errorGroupDecider,
  type ErrorGroupCommand,
} from '../../../src/commands/error-groups/error-group-decider.js';
import type { ErrorGroupEvent } from '../../../src/streams/events/error-group-events.js';

const OF = { actor: 'owner', at: 5, gridId: 'g', groupId: 'e' };
const RESOLVE: ErrorGroupCommand = {
  ...OF,
  type: 'Resolve',
  fixedIn: '',
  knownVersions: ['2', '1'],
  isResolved: false,
};
const RESOLVED: ErrorGroupEvent = { type: 'ErrorGroupResolved.v1', data: { ...OF, fixedIn: '', knownVersions: [] } };
const DROPPED: ErrorGroupEvent = { type: 'ErrorGroupDropped.v1', data: OF };
const REOPENED: ErrorGroupEvent = { type: 'ErrorGroupReopened.v1', data: OF };

const decide = (command: ErrorGroupCommand, ...events: readonly ErrorGroupEvent[]) =>
  errorGroupDecider.decide(command, errorGroupDecider.evolveAll!(errorGroupDecider.initialState, events));
const rejectedBy = (...of: Parameters<typeof decide>) => (decide(...of) as { rejected: string }).rejected;

describe('the decider of error groups', () => {
  it('resolves a group, also again: it may have occurred since', () => {
    assert.deepEqual(decide(RESOLVE), [RESOLVED]);
    assert.deepEqual(decide(RESOLVE, RESOLVED), [RESOLVED]);
    assert.deepEqual(decide(RESOLVE, RESOLVED, REOPENED), [RESOLVED]);
  });

  it('notes which versions may still report a group that is fixed in another one', () => {
    const data = { ...OF, fixedIn: '2', knownVersions: ['1'] };
    assert.deepEqual(decide({ ...RESOLVE, fixedIn: '2' }), [{ type: 'ErrorGroupResolved.v1', data }]);
    const knownVersions = Array.from({ length: 40 }, (_, index) => `1.${index}`);
    const [event] = decide({ ...RESOLVE, fixedIn: '2', knownVersions }) as ErrorGroupEvent[];
    assert.deepEqual((event as typeof RESOLVED).data, { ...data, knownVersions: knownVersions.slice(0, 30) });
  });

  it('reopens a group that is resolved, once', () => {
    const reopen = { ...OF, type: 'Reopen' } as const;
    assert.deepEqual(decide(reopen, RESOLVED), [REOPENED]);
    assert.equal(rejectedBy(reopen), 'not-found');
    assert.deepEqual(decide(reopen, RESOLVED, REOPENED), []);
  });

  it('notes nothing if the group is still resolved in the same way', () => {
    const again = { ...RESOLVE, isResolved: true };
    assert.deepEqual(decide(again, RESOLVED), []);
    const inVersion = { ...OF, fixedIn: '3', knownVersions: ['2', '1'] };
    assert.deepEqual(decide({ ...again, fixedIn: '3' }, RESOLVED), [{ ...RESOLVED, data: inVersion }]);
    // Somebody has reopened it meanwhile.
    assert.deepEqual(decide(again, RESOLVED, REOPENED), [RESOLVED]);
    assert.deepEqual(decide(again), [RESOLVED]);
  });

  it('refuses versions that are too long', () => {
    assert.equal(rejectedBy({ ...RESOLVE, fixedIn: 'x'.repeat(257) }), 'invalid-request');
  });

  it('drops the group that was changed longest ago for a further one, also of those that are open again', () => {
    const others = Array.from({ length: ERROR_GROUP_BOUNDS.groupsOfAGrid }, (_, index): ErrorGroupEvent => ({
      type: 'ErrorGroupResolved.v1',
      data: { ...OF, groupId: `g${index}`, fixedIn: '', knownVersions: [] },
    }));
    const reopenedFirst: ErrorGroupEvent = { ...REOPENED, data: { ...OF, groupId: 'g0' } };
    const dropped = (groupId: string): ErrorGroupEvent => ({ ...DROPPED, data: { ...OF, groupId } });
    assert.deepEqual(decide(RESOLVE, ...others), [dropped('g0'), RESOLVED]);
    assert.deepEqual(decide(RESOLVE, ...others, reopenedFirst), [dropped('g1'), RESOLVED]);
    assert.deepEqual(decide(RESOLVE, ...others, reopenedFirst, dropped('g1')), [RESOLVED]);
    assert.deepEqual(decide({ ...RESOLVE, groupId: 'g1' }, ...others), [
      { ...RESOLVED, data: { ...RESOLVED.data, groupId: 'g1' } },
    ]);
    assert.equal(rejectedBy({ ...OF, type: 'Reopen' }, RESOLVED, DROPPED), 'not-found');
  });
});
