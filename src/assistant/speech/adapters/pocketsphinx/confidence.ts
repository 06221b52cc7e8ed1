import type { Hypothesis } from './hypothesis.js';

/**
 * How sure it is that the words were said, from 0 to 1: by how much the sound fits them better than any series of phones
 * whatever, a frame on average. Phones may follow each other freely, so they fit any speech: nonsense fits them far better than
 * a question. The curve is measured (docs/decisions/101).
 */
export function confidenceOf(question: Hypothesis, phones: Hypothesis): number {
  const advantage = (question.score - phones.score) / question.frames;
  return 1 / (1 + Math.exp(-(advantage - EVEN) / SPREAD));
}

/** Where a question and nonsense are equally likely, and how fast that changes. */
const EVEN = -13;
const SPREAD = 3;
