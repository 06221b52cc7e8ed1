/** The program's result for one recording. */
export interface Hypothesis {
  /** Words of the grammar, without silences and pronunciation numbers. */
  readonly words: readonly string[];
  /** Log likelihood in the program's unit; only comparable for the same recording. */
  readonly score: number;
  /** 10 ms each. */
  readonly frames: number;
}

/**
 * Parses a line of a `-hypseg` file: `name S scale T score A … L …`, then `start acoustic language word` for each
 * word, and the last frame. Undefined if nothing was recognized.
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
 * Confidence from 0 to 1: by how much the audio matches the words better than any phone sequence, averaged per frame.
 * Phones may follow in any order, so they match any speech; nonsense matches them much better than questions. The
 * curve is based on measurements (docs/decisions/101).
 */
export function computeConfidence(question: Hypothesis, phones: Hypothesis): number {
  const advantage = (question.score - phones.score) / question.frames;
  return 1 / (1 + Math.exp(-(advantage - EVEN_ADVANTAGE) / ADVANTAGE_SPREAD));
}

/** The advantage at which question and nonsense are equally likely, and the slope around it. */
const EVEN_ADVANTAGE = -13;

const ADVANTAGE_SPREAD = 3;
