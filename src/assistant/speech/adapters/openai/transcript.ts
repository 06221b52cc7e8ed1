import type { Recognition } from '../../speech.js';

/** What endpoints answer, as far as we look at it: every member may be absent. */
export interface Transcript {
  readonly text?: unknown;
  readonly segments?: readonly { readonly avg_logprob?: number; readonly no_speech_prob?: number }[];
  readonly logprobs?: readonly { readonly logprob?: number }[];
}

/** Of an endpoint that does not say how sure it is: neither sure nor unsure. */
const UNTOLD = 0.5;

/** No question is longer. */
const MOST_CHARACTERS = 4000;

export function recognitionOf(transcript: Transcript): Recognition {
  const text = typeof transcript.text === 'string' ? transcript.text.replace(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS) : '';
  if (text === '') return { text: '', confidence: 0 };
  const confidence = bySegments(transcript) ?? byTokens(transcript) ?? UNTOLD;
  return { text, confidence: Math.round(Math.max(0, Math.min(1, confidence)) * 100) / 100 };
}

function bySegments({ segments }: Transcript): number | undefined {
  return mean(listed(segments).map(({ avg_logprob, no_speech_prob = 0 }) => Math.exp(avg_logprob ?? NaN) * (1 - no_speech_prob)));
}

/** The geometric mean of the probabilities of tokens. */
function byTokens({ logprobs }: Transcript): number | undefined {
  const logarithm = mean(listed(logprobs).map(({ logprob }) => logprob ?? NaN));
  return logarithm === undefined ? undefined : Math.exp(logarithm);
}

/** Nothing says that an endpoint keeps to the protocol. */
function listed<T>(given: readonly T[] | undefined): readonly T[] {
  return given !== undefined && Array.isArray(given) ? (given as readonly T[]) : [];
}

/** Of the numbers among them; undefined without any. */
function mean(values: readonly number[]): number | undefined {
  const numbers = values.filter(Number.isFinite);
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
