import assert from 'node:assert/strict';
import {
  conversationsDecider,
  MAX_CONVERSATIONS,
  MAX_TURNS,
  findTurns,
  type ConversationsState,
  type RecordTurn,
} from '../../../../src/commands/assistant/conversation-decider.js';
import type { ConversationTurn } from '../../../../src/commands/assistant/assistant-commands.js';
import type { TurnRecorded } from '../../../../src/streams/events/assistant-events.js';
import { specify } from '../given.js';

const DAY = 86_400_000;
const T0 = Date.UTC(2026, 10, 20, 9, 30);
const userId = 'alice';

const { given } = specify(conversationsDecider);
const turn = (at: number): ConversationTurn => ({
  prompt: `prompt ${at}`,
  response: `response ${at}`,
  focus: { services: ['checkout'] },
  at,
});
const record = (conversationId: string, at: number, gridId = 'grid'): RecordTurn => ({
  type: 'RecordTurn',
  userId,
  gridId,
  conversationId,
  turn: turn(at),
});
const recorded = (conversationId: string, at: number, gridId = 'grid'): TurnRecorded => ({
  type: 'TurnRecorded.v1',
  data: { userId, gridId, conversationId, ...turn(at) },
});
const after = (...events: readonly TurnRecorded[]): ConversationsState =>
  events.reduce(conversationsDecider.evolve, conversationsDecider.initialState);

describe('conversations', () => {
  it('consist of turns, in their order', () => {
    given().when(record('a', T0)).then(recorded('a', T0));
    given(recorded('a', T0))
      .when(record('a', T0 + 1))
      .then(recorded('a', T0 + 1));
    assert.deepEqual(
      findTurns(after(recorded('a', T0), recorded('b', T0 + 1), recorded('a', T0 + 2)), 'grid', 'a', T0 + 3),
      [turn(T0), turn(T0 + 2)],
    );
  });

  it('keep nothing but the members of a turn', () => {
    const sent = { ...record('a', T0), turn: { ...turn(T0), secret: 'x' } as ConversationTurn };
    given().when(sent).then(recorded('a', T0));
  });

  it('belong to one Grid', () => {
    given(recorded('a', T0))
      .when(record('a', T0 + 1, 'other'))
      .thenRejected('conflict');
    assert.equal(findTurns(after(recorded('a', T0)), 'other', 'a', T0), undefined);
  });

  it('are over after a day without a turn, and begin again then', () => {
    const state = after(recorded('a', T0), recorded('a', T0 + 5));
    assert.equal(findTurns(state, 'grid', 'a', T0 + 5 + DAY - 1)?.length, 2);
    assert.equal(findTurns(state, 'grid', 'a', T0 + 5 + DAY), undefined);
    assert.deepEqual(findTurns(after(recorded('a', T0), recorded('a', T0 + DAY)), 'grid', 'a', T0 + DAY), [
      turn(T0 + DAY),
    ]);
    assert.equal(findTurns(state, 'grid', 'unknown', T0), undefined);
  });

  it('remember the last turns, of the last conversations, of the last day', () => {
    const long = after(...Array.from({ length: MAX_TURNS + 5 }, (_, n) => recorded('a', T0 + n)));
    assert.deepEqual(
      findTurns(long, 'grid', 'a', T0 + 99)?.map(({ at }) => at - T0),
      Array.from({ length: MAX_TURNS }, (_, n) => n + 5),
    );
    const many = after(
      recorded('a', T0),
      ...Array.from({ length: MAX_CONVERSATIONS - 1 }, (_, n) => recorded(`${n}`, T0 + n)),
      recorded('a', T0 + 200),
      recorded('new', T0 + 201),
    );
    assert.deepEqual([many.size, many.has('a'), many.has('0'), many.has('1')], [MAX_CONVERSATIONS, true, false, true]);
    assert.deepEqual([...after(recorded('a', T0), recorded('b', T0 + 1), recorded('c', T0 + DAY)).keys()], ['b', 'c']);
  });

  it('do not modify an earlier state', () => {
    const before = after(recorded('a', T0));
    conversationsDecider.evolve(before, recorded('a', T0 + 1));
    assert.equal(findTurns(before, 'grid', 'a', T0)?.length, 1);
  });
});
