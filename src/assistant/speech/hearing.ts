import { segmentsOf } from './segments.js';
import type { Recognition, Recognizer, Sound } from './speech.js';

/** Root mean square below which nobody speaks: 50 dB under full scale. */
const SILENCE = 0.003;

/**
 * What a recording of any length says: it is cut in its pauses, each piece is recognised, and the texts are joined. The
 * confidence is the mean by time of the pieces in which something is to be heard, so that what was not understood counts.
 */
export async function hear(recognizer: Recognizer, sound: Sound, names: readonly string[], signal: AbortSignal): Promise<Recognition> {
  const texts: string[] = [];
  let [heard, sure] = [0, 0];
  for (const segment of segmentsOf(sound).filter((each) => !isSilent(each))) {
    const { text, confidence } = await recognizer.recognize(segment, names, signal);
    heard += segment.samples.length;
    sure += segment.samples.length * confidence;
    if (text !== '') texts.push(text);
  }
  const confidence = heard === 0 ? 0 : Math.round((100 * sure) / heard) / 100;
  return { text: texts.join(' '), confidence };
}

function isSilent({ samples }: Sound): boolean {
  const energy = samples.reduce((sum, sample) => sum + sample * sample, 0);
  return energy <= samples.length * SILENCE * SILENCE;
}
