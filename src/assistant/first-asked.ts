import type { Answerer } from './answer.js';

/** An answerer that is loaded with the first question: what understands people takes a while that no start should wait for. */
export function firstAsked(load: () => Promise<Answerer>): Answerer {
  let loaded: Promise<Answerer> | undefined;
  return { answer: async (prompt, signal) => (await (loaded ??= load())).answer(prompt, signal) };
}
