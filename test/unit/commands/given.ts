import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/errors.js';
import { isRejection, type Decider, type Decision, type DomainEvent } from '../../../src/commands/decider.js';

interface Outcome<Event> {
  /** Exactly these events, in order; none: nothing changes. */
  then(...expected: readonly Event[]): void;
  /** Refused with this code, and with faults in exactly these fields. */
  thenRejected(code: ErrorCode, ...fields: readonly string[]): void;
  /** Refused with this code until that moment, and without a fault in any field. */
  thenRejectedUntil(retryAtMs: number, code: ErrorCode): void;
}

/** A specification of a decider reads: these events, this command, those events or that refusal. */
export function specify<Command, State, Event extends DomainEvent>(decider: Decider<Command, State, Event>) {
  return {
    given: (...events: readonly Event[]) => ({
      when: (command: Command): Outcome<Event> => {
        const state = events.reduce((folded, event) => decider.evolve(folded, event), decider.initialState);
        return outcome(decider.decide(command, state));
      },
    }),
  };
}

function outcome<Event>(decision: Decision<Event>): Outcome<Event> {
  return {
    then: (...expected) => assert.deepEqual(decision, expected),
    thenRejected: (code, ...fields) => {
      assert.ok(isRejection(decision), `expected ${code}, found ${JSON.stringify(decision)}`);
      assert.deepEqual(
        [decision.rejected, decision.fields.map(({ field }) => field), decision.retryAtMs],
        [code, fields, undefined],
      );
    },
    thenRejectedUntil: (retryAtMs, code) => {
      assert.ok(isRejection(decision), `expected ${code}, found ${JSON.stringify(decision)}`);
      assert.deepEqual([decision.rejected, decision.fields, decision.retryAtMs], [code, [], retryAtMs]);
    },
  };
}
