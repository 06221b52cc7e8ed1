import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  computeConfidence,
  parseHypothesis,
} from '../../../../../../src/assistant/speech/adapters/pocketsphinx/recognition-hypothesis.js';
import { conditionAudio } from '../../../../../../src/assistant/speech/adapters/pocketsphinx/audio-conditioning.js';

describe('Hypotheses of PocketSphinx', () => {
  it('are words, a score and a number of frames', () => {
    const line =
      'sound S 0 T -3691 A -3354 L -337 0 -323 0 why 18 -227 0 is(2) 30 0 0 (NULL) 33 -1687 0 n2n 119 -888 0 slow 165 -229 -337 <sil> 206\n';
    assert.deepEqual(parseHypothesis(line), { words: ['why', 'is', 'n2n', 'slow'], score: -3691, frames: 206 });
  });

  it('are undefined where nothing was understood', () => {
    for (const line of [
      '',
      '\n',
      'sound\n',
      'sound S 0 T -100 A -100 L 0 12\n',
      'sound S 0 T what A 1 L 0 0 1 2 why 12\n',
    ])
      assert.equal(parseHypothesis(line), undefined, line);
  });

  it('never throw', () => {
    fc.assert(fc.property(fc.string(), (line) => void parseHypothesis(line)));
  });
});

describe('Confidence', () => {
  const hypothesis = (score: number) => ({ words: ['why'], score, frames: 100 });

  it('grows with the advantage over a free series of phones, from 0 to 1', () => {
    const values = [-4000, -2000, -1300, -800, 0, 800].map((advantage) =>
      computeConfidence(hypothesis(advantage - 5000), hypothesis(-5000)),
    );
    assert.deepEqual(
      values.map((value) => Math.round(value * 100) / 100),
      [0, 0.09, 0.5, 0.84, 0.99, 1],
    );
  });
});

describe('A quiet room', () => {
  const sound = (...samples: number[]) => ({ samples: Float32Array.from(samples), sampleRate: 16_000 });

  it('makes recordings equally loud, but whispers not without bound', () => {
    for (const [level, expected] of [
      [1, 0.5],
      [0.25, 0.5],
      [0.01, 0.2],
      [0, 0],
    ]) {
      const [first] = conditionAudio(sound(level, -level / 2)).samples;
      assert.ok(Math.abs(first - expected) < 0.01, `${level} became ${first}`);
    }
  });

  it('has a little noise, the same each time', () => {
    const silence = sound(...Array<number>(10_000).fill(0));
    const { samples } = conditionAudio(silence);
    const deviation = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    assert.ok(Math.abs(deviation * 32768 - 64) < 3);
    assert.deepEqual(conditionAudio(silence), conditionAudio(silence));
  });
});
