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

describe('stream names', () => {
  it('of the assistant are per Grid or per user', () => {
    assert.deepEqual([sessionsStream(gridId), speechStream(gridId)], [`sessions-${gridId}`, `speech-${gridId}`]);
    assert.deepEqual([usageStream('alice'), conversationsStream('key:ä')], ['usage-YWxpY2U', 'conversations-a2V5OsOk']);
  });

  it('use only base64url characters and are unique per user', () => {
    const users = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(users, users, (one, other) => {
        assert.match(usageStream(one), /^usage-[\w-]*$/);
        assert.equal(usageStream(one) === usageStream(other), one === other);
      }),
    );
  });

  it('have prefixes that are not prefixes of each other', () => {
    const streams = [sessionsStream('x'), usageStream('x'), speechStream('x'), conversationsStream('x')];
    const prefixes = [SESSIONS_PREFIX, USAGE_PREFIX, SPEECH_PREFIX, CONVERSATIONS_PREFIX];
    for (const prefix of prefixes) assert.equal(streams.filter((stream) => hasPrefix(stream, [prefix])).length, 1);
  });
});
