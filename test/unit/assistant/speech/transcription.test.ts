import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitAudio } from '../../../../src/assistant/speech/transcription.js';

const RATE = 1000;
/** Seconds of speech and of pauses in turn. */
function recording(...seconds: number[]) {
  const parts = seconds.map((length, i) =>
    new Float32Array(Math.round(length * RATE)).map((_, at) => (i % 2 === 0 ? 0.5 : 0.001) * Math.sin(at)),
  );
  return { samples: Float32Array.from(parts.flatMap((part) => [...part])), sampleRate: RATE };
}
const lengths = (...seconds: number[]) => splitAudio(recording(...seconds)).map(({ samples }) => samples.length / RATE);
const assertNear = (actual: number[], expected: number[]) => {
  assert.equal(actual.length, expected.length, actual.join());
  actual.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]) <= 0.1, `${actual.join()}, not ${expected.join()}`),
  );
};

describe('Segments of long recordings', () => {
  it('is the recording itself up to 15 s', () => {
    assert.deepEqual(lengths(15), [15]);
    assert.deepEqual(lengths(0), [0]);
  });

  it('cuts in pauses', () => {
    assertNear(lengths(12, 0.4, 8), [12.2, 8.2]);
    const [first, second] = lengths(9, 0.6, 9, 0.6, 9);
    assert.ok(first > 9.05 && first < 9.55, String(first));
    assert.ok(first + second > 18.65 && first + second < 19.15, String(second));
  });

  it('cuts in each pause of a second, however short what is said between them', () => {
    assertNear(lengths(4, 2, 4, 1.2, 6), [5, 5.6, 6.6]);
    assertNear(lengths(2, 1, 2, 0.9, 2), [7.9]);
    const [first, ...others] = lengths(3, 1.5, 20);
    assertNear([first], [3.75]);
    assert.ok(others.length === 2 && others.every((length) => length <= 15));
  });

  it('cuts in the later of two pauses that are equally quiet', () => {
    const sound = recording(20);
    sound.samples.fill(0, 6000, 6400).fill(0, 10_000, 10_400);
    const [first] = splitAudio(sound);
    assert.ok(first.samples.length > 10_000 && first.samples.length < 10_400);
  });

  it('does not cut early: a pause before the 5th second is none to cut at', () => {
    const [first] = lengths(3, 0.5, 9, 0.3, 8);
    assertNear([first], [12.65]);
  });

  it('cuts speech without any pause at 15 s at the latest', () => {
    const cut = lengths(40);
    assert.ok(cut.every((length) => length <= 15));
  });

  it('loses nothing, whatever the sound', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { maxLength: 400 }),
        fc.integer({ min: 8, max: 200 }),
        fc.integer({ min: 40, max: 2000 }),
        (given, sampleRate, mostMs) => {
          const sound = { samples: Float32Array.from(given), sampleRate };
          const segments = splitAudio(sound, mostMs, mostMs / 3);
          assert.deepEqual(
            segments.flatMap(({ samples }) => [...samples]),
            [...sound.samples],
          );
          for (const segment of segments)
            assert.ok(segment.samples.length <= Math.max(1, (mostMs * sampleRate) / 1000));
        },
      ),
    );
  });
});
