import type { EvaluationQuestion } from './evaluation-question.js';
import { UNSEEN_FIGURE_QUESTIONS } from './unseen-figure-questions.js';
import { UNSEEN_SEARCH_QUESTIONS } from './unseen-search-questions.js';

/**
 * A hundred questions with conditions, written by somebody who plays the operator of the shop: attributes, negations,
 * numbers, regions, versions, times, comparisons. A third of them cannot be answered by any query, and the right answer
 * refuses and names the words that it cannot apply. They were asked once before conditions were checked; that figure is
 * in docs/assistant.md.
 */
export const UNSEEN_QUESTIONS: readonly EvaluationQuestion[] = [...UNSEEN_SEARCH_QUESTIONS, ...UNSEEN_FIGURE_QUESTIONS];
