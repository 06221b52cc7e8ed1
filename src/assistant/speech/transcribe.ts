import { segmentsOf } from './segments.js';
import type { Recognition, Recognizer, Sound } from './speech.js';

/**
 * What is said in a recording of any length at 16 kHz: its segments are understood one after the other. The confidence is the
 * mean over what was understood, by length; 0 where nothing was.
 */
export async function transcribe(recognizer: Recognizer, sound: Sound, names: readonly string[], signal: AbortSignal): Promise<Recognition> {
  const texts: string[] = [];
  let [length, sum] = [0, 0];
  for (const segment of segmentsOf(sound)) {
    const { text, confidence } = await recognizer.recognize(segment, names, signal);
    if (text === '') continue;
    texts.push(text);
    length += segment.samples.length;
    sum += segment.samples.length * confidence;
  }
  return { text: texts.join(' '), confidence: length === 0 ? 0 : Math.round((sum / length) * 100) / 100 };
}
