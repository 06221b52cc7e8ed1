import { NumberWithin, Required, Text, Words } from './rules.js';

/** Longest text that is read out at once, in characters. */
export const MAX_SPOKEN_LENGTH = 5_000;

/** What is to be said, and how. Which voices there are is for the assistant to say. */
export class SynthesisModel {
  @Words(MAX_SPOKEN_LENGTH) @Required()
  text!: string;

  @Text()
  voice = 'hindsight';

  /** Multiplier. */
  @NumberWithin(0.5, 3)
  speed = 1;
}
