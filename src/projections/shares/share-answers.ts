import type { ParkedEvent } from '../parked-events.js';
import type { Rebuilt, Retried, Tried } from '../projector-parts.js';

type Named = ParkedEvent | Rebuilt | Tried;

/** The same of a projection that is called otherwise from outside. */
export function renamed<T extends { readonly projection: string }>(answer: T, projection: string): T {
  return { ...answer, projection };
}

/** An answer of a share's projector, with projections and groups called as from outside. */
export function withSuffix<T extends Named | Retried>(answer: T, suffix: string): T {
  if (suffix === '') return answer;
  if ('tried' in answer) return { ...answer, tried: answer.tried.map((each) => withSuffix(each, suffix)), rebuilt: answer.rebuilt.map((each) => withSuffix(each, suffix)) };
  const lacking = 'lacking' in answer ? { lacking: answer.lacking.map((name) => name + suffix) } : {};
  return { ...answer, ...lacking, projection: answer.projection + suffix };
}

/** Answers of several projectors as one. */
export function merged(answers: readonly Retried[]): Omit<Retried, 'left'> {
  return { tried: answers.flatMap(({ tried }) => tried), rebuilt: answers.flatMap(({ rebuilt }) => rebuilt) };
}
