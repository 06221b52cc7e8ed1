import assert from 'node:assert/strict';
import { detectAudioFormat } from '../../../../src/assistant/speech/audio-format.js';
import { computeSoundLevel, encodeWav } from '../../../../portal/src/pages/assistant/wav-encoder.js';

describe('WAV encoder', () => {
  it('writes WAV that the service accepts', () =>
    assert.equal(detectAudioFormat(new Uint8Array(encodeWav(new Float32Array(160)))), 'wav'));

  it('writes samples, and clamps them', () => {
    const view = new DataView(encodeWav(Float32Array.of(0, 1, -2)));
    assert.deepEqual(
      [44, 46, 48].map((at) => view.getInt16(at, true)),
      [0, 32_767, -32_767],
    );
    assert.deepEqual([view.getUint32(4, true), view.getUint32(24, true), view.getUint32(40, true)], [42, 16_000, 6]);
  });

  it('computes a level from 0 to 1', () => {
    assert.deepEqual(
      [
        computeSoundLevel(new Float32Array(8)),
        computeSoundLevel(new Float32Array(8).fill(1)),
        computeSoundLevel(new Float32Array(0)),
      ],
      [0, 1, 0],
    );
  });
});
