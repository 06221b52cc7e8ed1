import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AttributeReader, REPEATED_KEY } from '../../../src/telemetry/otlp/decoding/attribute-reader.js';
import { WireReader } from '../../../src/telemetry/otlp/wire/wire-reader.js';
import { computeAttributeToken } from '../../../src/telemetry/attribute-tokens.js';
import { officialEncode } from '../../support/official-otlp.js';
import { anyValue, text } from '../../support/otlp-model.js';
import { valueOf } from '../../support/otlp-oracle.js';

/** The KeyValue message alone: request, resource and attribute list are peeled off. */
function pairBytes(pair: object): Uint8Array {
  const request = new WireReader(officialEncode('traces', { resourceSpans: [{ resource: { attributes: [pair] } }] }));
  for (let level = 0; level < 3; level++) {
    request.readTag(request.bytes.length);
    request.readPayloadEnd(request.bytes.length);
  }
  return request.bytes.subarray(request.pos);
}

describe('tokens', () => {
  it('are the same from wire bytes and from key and string form, for every kind of value', () => {
    const attributes = new AttributeReader();
    attributes.beginRequest(new Set());
    fc.assert(
      fc.property(text, anyValue, (key, value) => {
        const bytes = pairBytes({ key, value });
        attributes.beginRecord();
        assert.notEqual(attributes.read(new WireReader(bytes), bytes.length), REPEATED_KEY);
        assert.deepEqual(
          { token: attributes.token, check: attributes.check },
          computeAttributeToken(key, String(valueOf(value))),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('do not depend on the order of the fields, and the last value counts', () => {
    const key = pairBytes({ key: 'k' });
    const value = (text: string): Uint8Array => pairBytes({ key: '', value: { stringValue: text } }).subarray(2);
    const attributes = new AttributeReader();
    attributes.beginRequest(new Set());
    for (const bytes of [
      Buffer.concat([value('v'), key]),
      Buffer.concat([key, value('x'), value('v')]),
      Buffer.concat([Buffer.from([0x18, 5]), key, value('v')]),
    ]) {
      attributes.beginRecord();
      attributes.read(new WireReader(bytes), bytes.length);
      assert.equal(attributes.token, computeAttributeToken('k', 'v').token);
    }
  });

  it('distinguish the boundary between key and value', () => {
    assert.notDeepEqual(computeAttributeToken('a', 'bc'), computeAttributeToken('ab', 'c'));
    assert.notDeepEqual(computeAttributeToken('', 'a'), computeAttributeToken('a', ''));
  });

  it('of 200,000 like values collide about as rarely as chance has it', () => {
    const tokens = new Set<number>();
    const whole = new Set<string>();
    for (let n = 0; n < 200_000; n++) {
      const { token, check } = computeAttributeToken('app.user.id', `user-${n}`);
      tokens.add(token);
      whole.add(`${token}/${check}`);
    }
    // Chance: n² / 2^33 = 4.7 pairs in 32 bits, none in 48.
    assert.ok(tokens.size > 200_000 - 30, `${200_000 - tokens.size} collisions`);
    assert.equal(whole.size, 200_000);
  });

  it('stay what they are: blocks on disk hold them', () => {
    assert.deepEqual(computeAttributeToken('http.route', '/api/v1/orders/{id}'), FROZEN);
  });
});

const FROZEN = { token: 797116885, check: 23682 };
