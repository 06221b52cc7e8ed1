import assert from 'node:assert/strict';
import { formatVerification } from '../../../src/cli/commands/read-model-commands.js';
import type { Position } from '../../../src/streams/event-store.js';

const POSITION = '000000000000003c' as Position;
const ERROR = `Event at position ${POSITION} is damaged: its body does not match its checksum`;
const DIFFERENT = { projection: 'logs', position: POSITION, live: 'a', replayed: 'b', equal: false };

describe('the result of a verification', () => {
  it('advises a replay only if no damage explains the difference', () => {
    assert.match(formatVerification(DIFFERENT), /^DIFFERS logs.*\n +→ hindsight replay logs$/);
    const lacking = { count: 1, retained: 0, events: [{ position: POSITION, error: ERROR, retained: false }] };
    assert.match(formatVerification({ ...DIFFERENT, damage: lacking }), /hindsight replay logs$/);
    const retained = { count: 1, retained: 1, events: [{ position: POSITION, error: ERROR, retained: true }] };
    const text = formatVerification({ ...DIFFERENT, damage: retained });
    assert.match(text, /^DAMAGED logs: .*without 1 damaged event that the read model in use contains\n/);
    assert.ok(text.includes(ERROR));
    assert.doesNotMatch(text, /hindsight replay/);
  });

  it('lists ten damaged events, and counts the others', () => {
    const events = Array.from({ length: 100 }, () => ({ position: POSITION, error: ERROR, retained: true }));
    const text = formatVerification({ ...DIFFERENT, damage: { count: 250, retained: 250, events } });
    assert.equal(text.split(ERROR).length - 1, 10);
    assert.match(text, /and 240 damaged events more/);
  });
});
