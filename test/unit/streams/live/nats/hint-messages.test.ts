import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Position } from '../../../../../src/streams/event-store.js';
import type { ChangeHint } from '../../../../../src/streams/live/live-feed.js';
import {
  decodeHint,
  encodeHint,
  toHintSubject,
  toClusterSubject,
} from '../../../../../src/streams/live/nats/hint-messages.js';

const position = fc.string().map((text) => text as Position);
const hints: fc.Arbitrary<ChangeHint> = fc.oneof(
  fc.record({ topic: fc.constant('appended' as const), position }),
  fc.record({ topic: fc.constant('projected' as const), projection: fc.string(), position }),
  fc.record({
    topic: fc.constant('diagnosed' as const),
    gridId: fc.string(),
    diagnostic: fc.string(),
    version: fc.nat(),
  }),
);

describe('hint messages', () => {
  const cluster = toClusterSubject('eu-1');

  it('have subjects that allow subscribing to a subset', () => {
    assert.equal(toHintSubject(cluster, { topic: 'appended', position: '1' as Position }), 'hindsight.eu-1.appended');
    assert.equal(
      toHintSubject(cluster, { topic: 'projected', projection: 'traces.v1', position: '1' as Position }),
      'hindsight.eu-1.projected.traces%2Ev1',
    );
    assert.equal(
      toHintSubject(cluster, { topic: 'diagnosed', gridId: 'g>*', diagnostic: 'health', version: 1 }),
      'hindsight.eu-1.diagnosed.g%3E%2A',
    );
  });

  it('survive encoding and decoding with valid NATS subjects', () => {
    fc.assert(
      fc.property(hints, (hint) => {
        assert.deepEqual(decodeHint(encodeHint(hint)), { ...hint });
        assert.match(toHintSubject(cluster, hint), /^hindsight\.eu-1\.(appended|(projected|diagnosed)\.[^\s.*>]+)$/);
      }),
    );
  });

  it('decode to undefined for any other bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void decodeHint(bytes)));
    fc.assert(fc.property(fc.json(), (text) => assert.equal(decodeHint(new TextEncoder().encode(text)), undefined)));
    assert.equal(
      decodeHint(encodeHint({ topic: 'projected', projection: 'x'.repeat(5_000), position: '1' as Position })),
      undefined,
    );
  });
});
