import { Piscina } from 'piscina';
import type { Component, Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import type {
  ExportValidation,
  ExportValidationRequest,
} from '../../telemetry/otlp/validation/validate-export-request.js';

/** A request whose body is transferred to another thread: the caller MUST NOT use it afterwards. */
export interface TransferableRequest extends ExportValidationRequest {
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Validates export requests off the main thread. */
export interface ExportValidator extends Component {
  /** Rejects with code `overloaded` if too many requests wait, and with any other error if a retry may succeed. */
  validate(request: TransferableRequest): Promise<ExportValidation>;
}

export interface ExportValidatorPoolOptions {
  readonly threads: number;
  /** Maximum number of requests that wait for a thread. The memory budget limits their bytes. */
  readonly maxWaiting: number;
}

const WORKER_ENTRY = new URL('./export-validator-worker.js', import.meta.url).href;

/** Validates in worker threads; bodies are transferred, not copied. */
export class ExportValidatorPool implements ExportValidator {
  private pool: Piscina<TransferableRequest, ExportValidation> | undefined;
  private closed = false;

  constructor(private readonly options: ExportValidatorPoolOptions) {}

  async validate(request: TransferableRequest): Promise<ExportValidation> {
    if (this.closed) throw new HindsightError('unavailable', 'the export validator is closed');
    this.pool ??= this.start();
    if (this.pool.queueSize >= this.options.maxWaiting)
      throw new HindsightError('overloaded', 'too many requests are waiting for validation');
    return this.pool.run(request, { transferList: [request.body.buffer] });
  }

  check(): Promise<Health> {
    return Promise.resolve(this.closed ? { ok: false, reason: 'closed' } : { ok: true });
  }

  /** Terminates the threads at once, including validations in progress. */
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
