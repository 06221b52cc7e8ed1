import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createAcknowledgementLinks } from '../../../src/notifications/acknowledgement-links.js';

const NOW = 1_000;
const GRANT = { gridId: 'grid', channelId: 'channel', alertIds: ['one', 'two'], expiresAt: NOW + 1 };
const links = createAcknowledgementLinks(async () => 'secret');

describe('links that acknowledge alerts', () => {
  it('are the same each time, and allow what was signed until they expire', async () => {
    const token = await links.sign(GRANT);
    assert.equal(await links.sign(GRANT), token);
    assert.match(token, /^[\w.-]+$/);
    assert.deepEqual(await links.open(token, NOW), GRANT);
    assert.equal(await links.open(token, NOW + 1), undefined);
  });

  it('name at most 20 alerts, so that receivers take their address', async () => {
    const alertIds = Array.from({ length: 500 }, (_, i) => `7f0c1d52-6f0e-4b6b-9a53-${String(i).padStart(12, '0')}`);
    const token = await links.sign({ ...GRANT, alertIds });
    assert.ok(token.length < 1_500, String(token.length));
    assert.deepEqual((await links.open(token, NOW))?.alertIds, alertIds.slice(0, 20));
  });

  it('are refused with another secret, with a change of any character, and as any other text (property)', async () => {
    const token = await links.sign(GRANT);
    assert.equal(await createAcknowledgementLinks(async () => 'other').open(token, NOW), undefined);
    const payload = Buffer.from(JSON.stringify(['grid', 'channel', NOW + 9, 'three'])).toString('base64url');
    assert.equal(await links.open(`${payload}.${token.split('.')[1]}`, NOW), undefined);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        assert.equal(await links.open(text, NOW), undefined);
        assert.equal(await links.open(`${token}${text}x.`, NOW), undefined);
      }),
      { numRuns: 50 },
    );
    assert.equal(await links.open('x'.repeat(5_000), NOW), undefined);
  });
});
