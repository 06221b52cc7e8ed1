import assert from 'node:assert/strict';
import { findHttp2Flood } from '../../../../src/http/otlp/http2-first-bytes.js';
import { FRAMES, PREFACE, resetRequests } from './support/http2-frames.js';

const begin = (...frames: readonly Uint8Array[]): Buffer => Buffer.concat([PREFACE, ...frames]);
const repeat = (frame: (n: number) => Uint8Array, times: number): Buffer =>
  Buffer.concat(Array.from({ length: times }, (_, n) => frame(n)));

describe('first bytes of an HTTP/2 connection', () => {
  it('are a flood with more than 100 resets', () => {
    assert.equal(findHttp2Flood(begin(resetRequests(100))), undefined);
    assert.equal(findHttp2Flood(begin(resetRequests(101))), 'aborted-requests');
  });

  it('are a flood with more than 256 requests', () => {
    const requests = (times: number): Buffer => repeat((n) => FRAMES.request(2 * n + 1, { ended: true }), times);
    assert.equal(findHttp2Flood(begin(requests(256))), undefined);
    assert.equal(findHttp2Flood(begin(requests(257))), 'aborted-requests');
  });

  it('are a flood with more than 500 control frames', () => {
    const updates = (times: number): Buffer => repeat(() => FRAMES.windowUpdate(0, 1), times);
    assert.equal(findHttp2Flood(begin(updates(500))), undefined);
    assert.equal(findHttp2Flood(begin(updates(501))), 'control-frames');
    assert.equal(findHttp2Flood(begin(repeat(FRAMES.ping, 501))), 'control-frames');
  });

  it('are none with a large body, whatever it contains', () => {
    const body = FRAMES.data(1, resetRequests(1_000));
    assert.equal(findHttp2Flood(begin(FRAMES.request(1), body)), undefined);
  });

  it('may end anywhere', () => {
    const whole = begin(FRAMES.request(1), FRAMES.data(1, Buffer.alloc(50)), resetRequests(3, 3));
    for (let length = 0; length <= whole.byteLength; length++)
      assert.equal(findHttp2Flood(whole.subarray(0, length)), undefined);
  });
});
