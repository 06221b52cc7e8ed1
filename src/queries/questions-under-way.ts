import { HindsightError } from '../errors.js';
import { Turn, WaitingLine, type Clock } from './giving-way.js';

export interface QuestionLimits {
  /** Questions under way at once; one more is turned down as `overloaded`. Default 64. */
  readonly maxQuestions?: number;
  /** A question older than this is given up: nobody waits for it any more. Default 25 s, below the time-out of the API. */
  readonly maxQuestionMs?: number;
  /** Default: the clock of the process. */
  readonly clock?: Clock;
}

const MAX_QUESTIONS = 64;
const MAX_QUESTION_MS = 25_000;

/** Shares one thread among the questions that it is asked, up to a bound. */
export class QuestionsUnderWay {
  private readonly line = new WaitingLine();
  private readonly max: number;
  private readonly maxMs: number;
  private readonly clock: Clock;
  private count = 0;

  constructor({ maxQuestions = MAX_QUESTIONS, maxQuestionMs = MAX_QUESTION_MS, clock = () => performance.now() }: QuestionLimits) {
    this.max = maxQuestions;
    this.maxMs = maxQuestionMs;
    this.clock = clock;
  }

  async answer<T>(question: (turn: Turn) => Promise<T>): Promise<T> {
    if (this.count >= this.max) throw new HindsightError('overloaded', `${this.max} questions are under way already`);
    this.count++;
    try {
      return await question(new Turn(this.line, this.clock, this.clock() + this.maxMs));
    } finally {
      this.count--;
    }
  }
}
