import assert from 'node:assert/strict';
import { ErrorGroupKeys } from '../../../../src/diagnostics/error-groups/error-group-key.js';
import { collectGarbage } from '../../../../src/thread-memory.js';

const GROUPS = 600;
const STACK_CHARACTERS = 100_000;
const MAX_KEPT_BYTES = 15_000_000;

describe('keys of error groups', () => {
  it('keep no stack trace in memory', () => {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    // One finder each: what a finder remembers is bounded, and not the subject.
    const keys = Array.from({ length: GROUPS }, (_, n) => {
      const frames = `   at Shop.Pay.Charge${n}(Order order)\n`;
      const stackTrace = frames.repeat(Math.ceil(STACK_CHARACTERS / frames.length));
      return new ErrorGroupKeys().find({ type: `Shop.PaymentException${n}`, message: 'declined', stackTrace });
    });
    collectGarbage();
    const kept = process.memoryUsage().heapUsed - before;
    assert.equal(new Set(keys.map(({ groupId }) => groupId)).size, GROUPS);
    assert.ok(kept < MAX_KEPT_BYTES, `${kept} bytes for ${GROUPS} groups`);
  });
});
