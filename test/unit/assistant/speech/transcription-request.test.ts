import assert from 'node:assert/strict';
import type { Recognition, Recognizer, PcmAudio } from '../../../../src/assistant/speech/speech-engines.js';
import { transcribe } from '../../../../src/assistant/speech/transcription.js';
import { neverAborted } from '../../../support/speech-engines.js';

/** Returns these results in turn. */
function scripted(...answers: Recognition[]): Recognizer & { notified: PcmAudio[] } {
  const notified: PcmAudio[] = [];
  return {
    notified,
    recognize: async (sound) => (notified.push(sound), answers[notified.length - 1]),
    check: async () => ({ ok: true }),
    close: async () => undefined,
  };
}

/** Seconds of tones with pauses of 2 s between them, at 1 kHz. */
const recording = (...seconds: number[]): PcmAudio => ({
  samples: Float32Array.from(
    seconds.flatMap((length) => [
      ...Array.from({ length: length * 1000 }, (_, i) => Math.sin(i)),
      ...Array<number>(2000).fill(0),
    ]),
  ),
  sampleRate: 1000,
});

describe('Transcription of a recording', () => {
  it('puts together what was understood of its segments, and how sure that is by their length', async () => {
    const recognizer = scripted(
      { text: 'is anything broken', confidence: 1 },
      { text: '', confidence: 0.1 },
      { text: 'why', confidence: 0.5 },
    );
    assert.deepEqual(await transcribe(recognizer, recording(4, 6, 4), [], neverAborted()), {
      text: 'is anything broken why',
      confidence: 0.71,
    });
    assert.deepEqual(
      recognizer.notified.map(({ samples }) => samples.length),
      [5000, 8000, 7000],
    );
  });

  it('is nothing where nothing was understood', async () => {
    assert.deepEqual(await transcribe(scripted({ text: '', confidence: 0.2 }), recording(1), [], neverAborted()), {
      text: '',
      confidence: 0,
    });
  });

  it('fails as the engine fails', async () => {
    const failing = { ...scripted(), recognize: () => Promise.reject(new Error('broken')) };
    await assert.rejects(transcribe(failing, recording(1), [], neverAborted()), /broken/);
  });
});
