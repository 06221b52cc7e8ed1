import { HindsightError } from '../../errors.js';
import { FairQueue, type MonotonicClock, TimeSlice } from './cooperative-scheduler.js';

export interface QueryLimits {
  /** Questions under way at once; one more is turned down as `overloaded`. Default 64. */
  readonly maxQuestions?: number;
  /** A question older than this is given up: nobody waits for it any more. Default 25 s, below the time-out of the API. */
  readonly maxQuestionMs?: number;
  /** Default: the clock of the process. */
  readonly clock?: MonotonicClock;
}

const MAX_CONCURRENT_QUERIES = 64;
const QUERY_TIMEOUT_MS = 25_000;

/** Shares one thread among the questions that it is asked, up to a bound. */
export class QueryConcurrencyLimiter {
  private readonly line = new FairQueue();
  private readonly max: number;
  private readonly maxMs: number;
  private readonly clock: MonotonicClock;
  private count = 0;

  constructor({
    maxQuestions = MAX_CONCURRENT_QUERIES,
    maxQuestionMs = QUERY_TIMEOUT_MS,
    clock = () => performance.now(),
  }: QueryLimits) {
    this.max = maxQuestions;
    this.maxMs = maxQuestionMs;
    this.clock = clock;
  }

  async run<T>(question: (turn: TimeSlice) => Promise<T>): Promise<T> {
    if (this.count >= this.max) throw new HindsightError('overloaded', `${this.max} questions are under way already`);
    this.count++;
    try {
      return await question(new TimeSlice(this.line, this.clock, this.clock() + this.maxMs));
    } finally {
      this.count--;
    }
  }
}

/** Lets few works run at once. The others wait, in the order in which they came. */
export class Semaphore {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.most) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever comes next takes this one's place, so that nobody slips in between.
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }
}
