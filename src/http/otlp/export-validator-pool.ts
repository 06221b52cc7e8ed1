import { Piscina } from 'piscina';
import type { Component, Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import type {
  ExportValidation,
  ExportValidationRequest,
} from '../../telemetry/otlp/validation/validate-export-request.js';

/** A request whose body may leave for another thread: the caller MUST NOT touch it afterwards. */
export interface TransferableRequest extends ExportValidationRequest {
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Examines requests away from the serving thread. */
export interface ExportValidator extends Component {
  /** Rejects with code `overloaded` when too many requests wait, with anything else when a retry may find it well. */
  validate(request: TransferableRequest): Promise<ExportValidation>;
}

export interface ExportValidatorPoolOptions {
  readonly threads: number;
  /** Requests that may wait for a thread. Their bytes are bounded by the memory budget. */
  readonly maxWaiting: number;
}

const WORKER_ENTRY = new URL('./export-validator-worker.js', import.meta.url).href;

/** Examines on threads of their own; bodies are transferred there and back. */
export class ExportValidatorPool implements ExportValidator {
  private pool: Piscina<TransferableRequest, ExportValidation> | undefined;
  private closed = false;

  constructor(private readonly options: ExportValidatorPoolOptions) {}

  async validate(request: TransferableRequest): Promise<ExportValidation> {
    if (this.closed) throw new HindsightError('unavailable', 'the examiner is closed');
    this.pool ??= this.start();
    if (this.pool.queueSize >= this.options.maxWaiting)
      throw new HindsightError('overloaded', 'too many requests wait to be examined');
    return this.pool.run(request, { transferList: [request.body.buffer] });
  }

  check(): Promise<Health> {
    return Promise.resolve(this.closed ? { ok: false, reason: 'closed' } : { ok: true });
  }

  /** Ends the threads at once: whoever wants requests in flight to finish waits for them first. */
  async close(): Promise<void> {
    this.closed = true;
    const pool = this.pool;
    this.pool = undefined;
    await pool?.destroy();
  }

  private start(): Piscina<TransferableRequest, ExportValidation> {
    const { threads } = this.options;
    return new Piscina({ filename: WORKER_ENTRY, minThreads: threads, maxThreads: threads, recordTiming: false });
  }
}
