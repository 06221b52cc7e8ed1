import { Means, Whole } from './field-schemas.js';
import { NumberWithin, Required, Text, Words } from './rules.js';

/** Longest text that is read out at once, in characters. */
export const MAX_SPOKEN_LENGTH = 5_000;

/** What is to be said, and how. Which voices there are is for the assistant to say. */
@Whole({ description: 'What is to be said, and how.' })
export class SynthesisModel {
  @Means('What is to be said.', 'Nothing is broken.')
  @Words(MAX_SPOKEN_LENGTH) @Required()
  text!: string;

  @Means('Name of a voice.', 'hindsight')
  @Text()
  voice = 'hindsight';

  @Means('How fast, as a multiplier.', 1)
  @NumberWithin(0.5, 3)
  speed = 1;
}
