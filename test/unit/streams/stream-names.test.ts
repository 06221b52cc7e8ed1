import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  CONVERSATIONS_PREFIX,
  conversationsStream,
  hasPrefix,
  SESSIONS_PREFIX,
  sessionsStream,
  SPEECH_PREFIX,
  speechStream,
  USAGE_PREFIX,
  usageStream,
} from '../../../src/streams/stream-names.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';

describe('names of streams', () => {
  it('of the assistant: by Grid, or by user', () => {
    assert.deepEqual([sessionsStream(gridId), speechStream(gridId)], [`sessions-${gridId}`, `speech-${gridId}`]);
    assert.deepEqual([usageStream('alice'), conversationsStream('key:ä')], ['usage-YWxpY2U', 'conversations-a2V5OsOk']);
  });

  it('have no characters but those of base64url, and differ as users do', () => {
    const users = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(users, users, (one, other) => {
        assert.match(usageStream(one), /^usage-[\w-]*$/);
        assert.equal(usageStream(one) === usageStream(other), one === other);
      }),
    );
  });

  it('have prefixes of which none begins another', () => {
    const streams = [sessionsStream('x'), usageStream('x'), speechStream('x'), conversationsStream('x')];
    const prefixes = [SESSIONS_PREFIX, USAGE_PREFIX, SPEECH_PREFIX, CONVERSATIONS_PREFIX];
    for (const prefix of prefixes) assert.equal(streams.filter((stream) => hasPrefix(stream, [prefix])).length, 1);
  });
});
