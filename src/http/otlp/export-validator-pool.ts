import { Piscina } from 'piscina';
import type { Component, Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import { type Charged, FairExecutor } from '../../scheduling/fair-executor.js';
import type { WorkShare } from '../../scheduling/fair-queue.js';
import type {
  ExportValidation,
  ExportValidationRequest,
} from '../../telemetry/otlp/validation/validate-export-request.js';

/** A request whose body is transferred to another thread: the caller MUST NOT use it afterwards. */
export interface TransferableRequest extends ExportValidationRequest {
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The result, and the time (ms) that the validation took, without the wait for a thread. */
export interface TimedValidation {
  readonly validation: ExportValidation;
  readonly tookMs: number;
  /** The body as it came, if its fault is `over-limit`. */
  readonly body?: Uint8Array<ArrayBuffer>;
}

/** When a request gets its turn. */
export interface ValidationTurn {
  readonly share: WorkShare;
  /** Longest wait for a thread. */
  readonly maxWaitMs: number;
}

/** Validates export requests off the main thread. */
export interface ExportValidator extends Component {
  /**
   * Rejects with code `overloaded` if too many requests wait, with `unavailable` if the turn does not come in time, and with
   * any other error if a retry may succeed.
   */
  validate(request: TransferableRequest, turn: ValidationTurn): Promise<TimedValidation>;
}

export interface ExportValidatorPoolOptions {
  /** Threads that one owner may use at the same time. */
  readonly threads: number;
  /** Maximum number of requests that wait for a thread. The memory budget limits their bytes. */
  readonly maxWaiting: number;
  /** Time (ms) without a request after which the threads end. Default: 25 s. */
  readonly idleMs?: number;
}

/**
 * Short enough that a release of the memory governor follows within a minute, which returns their memory (some 15 MB each).
 * Starting them again delays a request by about 0.1 s.
 */
const IDLE_MS = 25_000;

/** Threads that only a second owner uses, so that a body that takes seconds does not delay others. */
const SPARE_THREADS = 1;

/** Space for new objects, three semi-spaces of 4 MiB: bodies lie outside the heap, and columns of a request live briefly. */
const YOUNG_GENERATION_MB = 12;

/** `collect-garbage`: no request, the thread collects its garbage. */
export type ValidatorTask = ExportValidationRequest | 'collect-garbage';

const COLLECT_GARBAGE: ValidatorTask = 'collect-garbage';
const WORKER_ENTRY = new URL('./export-validator-worker.js', import.meta.url).href;

/** Validates in worker threads, in turns of owners and Grids; bodies are transferred, not copied. */
export class ExportValidatorPool implements ExportValidator {
  private pool: Piscina<ValidatorTask, TimedValidation> | undefined;
  private readonly turns: FairExecutor;
  private closed = false;
  private running = 0;
  private usedSinceRelease = false;
  private ending: NodeJS.Timeout | undefined;

  constructor(private readonly options: ExportValidatorPoolOptions) {
    const { threads, maxWaiting } = options;
    this.turns = new FairExecutor({ slots: threads + SPARE_THREADS, slotsPerOwner: threads, maxWaiting });
  }

  async validate(request: TransferableRequest, { share, maxWaitMs }: ValidationTurn): Promise<TimedValidation> {
    if (this.closed) throw createClosedError();
    return this.turns.run(share, () => this.runInThread(request), maxWaitMs);
  }

  check(): Promise<Health> {
    return Promise.resolve(this.closed ? { ok: false, reason: 'closed' } : { ok: true });
  }

  /** Terminates the threads at once, including validations in progress. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.ending);
    this.turns.rejectWaiting(createClosedError());
    const pool = this.pool;
    this.pool = undefined;
    await pool?.destroy();
  }

  private async runInThread(request: TransferableRequest): Promise<Charged<TimedValidation>> {
    if (this.closed) throw createClosedError();
    this.pool ??= this.start();
    this.usedSinceRelease = true;
    this.running++;
    clearTimeout(this.ending);
    try {
      const result = await this.pool.run(request, { transferList: [request.body.buffer] });
      return { result, costMs: result.tookMs };
    } finally {
      this.running--;
      if (this.running === 0 && !this.closed)
        this.ending = setTimeout(() => this.endThreads(), this.options.idleMs ?? IDLE_MS).unref();
    }
  }

  /** Number of running threads. */
  get threads(): number {
    return this.pool?.threads.length ?? 0;
  }

  /** Lets every thread collect its garbage, if there was work since the previous call and none has work now. */
  async releaseMemory(): Promise<void> {
    const { pool } = this;
    if (pool === undefined || this.running > 0 || !this.usedSinceRelease) return;
    this.usedSinceRelease = false;
    await Promise.all(pool.threads.map(() => pool.run(COLLECT_GARBAGE)));
  }

  /** The next request starts others. */
  private endThreads(): void {
    const { pool } = this;
    this.pool = undefined;
    pool?.close().catch(() => pool.destroy());
  }

  private start(): Piscina<ValidatorTask, TimedValidation> {
    const { threads } = this.options;
    return new Piscina({
      filename: WORKER_ENTRY,
      minThreads: threads,
      maxThreads: threads + SPARE_THREADS,
      idleTimeout: IDLE_MS,
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
  }
}

function createClosedError(): HindsightError {
  return new HindsightError('unavailable', 'the export validator is closed');
}
