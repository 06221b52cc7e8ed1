/** What the program understood of one recording. */
export interface Hypothesis {
  /** Words of the grammar, without silences and without the numbers of pronunciations. */
  readonly words: readonly string[];
  /** Logarithm of the likelihood, in a unit of the program: comparable for the same recording alone. */
  readonly score: number;
  /** Each 10 ms. */
  readonly frames: number;
}

/**
 * Reads a line of a `-hypseg` file: `name S scale T score A … L …`, then `start acoustic language word` of each word, and the
 * last frame. Undefined where nothing was understood.
 */
export function parseHypothesis(line: string): Hypothesis | undefined {
  const fields = line.trim().split(/\s+/);
  const [score, frames] = [Number(fields[fields.indexOf('T') + 1]), Number(fields.at(-1))];
  const segments = fields.slice(fields.indexOf('L') + 2, -1);
  const words = segments.filter((_, i) => i % 4 === 3);
  if (!line.includes(' T ') || words.length === 0 || !Number.isFinite(score) || !(frames > 0)) return undefined;
  return {
    words: words.filter((word) => !/^[<[+(]/.test(word)).map((word) => word.replace(/\(\d+\)$/, '')),
    score,
    frames,
  };
}

/**
 * How sure it is that the words were said, from 0 to 1: by how much the sound fits them better than any series of phones
 * whatever, a frame on average. Phones may follow each other freely, so they fit any speech: nonsense fits them far better than
 * a question. The curve is measured (docs/decisions/101).
 */
export function computeConfidence(question: Hypothesis, phones: Hypothesis): number {
  const advantage = (question.score - phones.score) / question.frames;
  return 1 / (1 + Math.exp(-(advantage - EVEN_ADVANTAGE) / ADVANTAGE_SPREAD));
}

/** Where a question and nonsense are equally likely, and how fast that changes. */
const EVEN_ADVANTAGE = -13;

const ADVANTAGE_SPREAD = 3;
