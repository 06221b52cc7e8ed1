import { FairExecutor } from '../scheduling/fair-executor.js';

/** Finds the user who created a Grid; resolves to the id of the Grid itself if unknown. */
export type FindGridOwner = (gridId: string) => Promise<string>;

/** Answers at the same time: of all owners, of one, of one Grid. Most of their time they wait for queries or for a model. */
const ANSWER_LIMITS = { slots: 64, slotsPerOwner: 32, slotsPerGrid: 24, maxWaiting: 256 };
/** Speech keeps a processor busy; its engines run two tasks of a kind at the same time. */
const SPEECH_LIMITS = { slots: 2, maxWaiting: 32 };

/** Longest wait for a turn (ms). */
const MAX_WAIT_MS = 20_000;

/**
 * The turns of the assistant's own work, by owner, then by Grid, charged by the time that it took: whatever one
 * owner asks for, others wait for at most the end of one task. The queries that answers need take their own turns.
 */
export class AssistantTurns {
  private readonly answers = new FairExecutor(ANSWER_LIMITS);
  private readonly speech = new FairExecutor(SPEECH_LIMITS);

  constructor(private readonly findOwner: FindGridOwner) {}

  /**
   * Runs `work` in its turn. Rejects with `overloaded` or `unavailable` if there is none, with the reason of `signal` if that
   * is aborted before the turn, and as `work` does.
   */
  answer<T>(gridId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.run(this.answers, gridId, signal, work);
  }

  /** The same for one step of speech: synthesis, decoding, or recognition of one segment of at most 15 s. */
  processSpeech<T>(gridId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.run(this.speech, gridId, signal, work);
  }

  private async run<T>(
    executor: FairExecutor,
    gridId: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const share = { ownerId: await this.findOwner(gridId), gridId };
    const runCharged = async (): Promise<{ result: T; costMs: number }> => {
      signal.throwIfAborted();
      const startedAt = performance.now();
      return { result: await work(), costMs: performance.now() - startedAt };
    };
    return executor.run(share, runCharged, MAX_WAIT_MS, signal);
  }
}
