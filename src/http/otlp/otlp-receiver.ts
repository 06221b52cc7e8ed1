import type { AccessControl } from '../../auth/access-control.js';
import type { ApiKeyUsageListener, PresentedKey } from '../../auth/api-key-usage-listener.js';
import { hasCode } from '../../errors.js';
import type { EventStore } from '../../streams/event-store.js';
import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import type { Signal } from '../../telemetry/signals.js';
import type { ExportValidation } from '../../telemetry/otlp/validation/validate-export-request.js';
import type { CredentialGuard } from '../limits/credential-guard.js';
import type { RequestDeduplicator } from './request-deduplicator.js';
import { appendRequest, authenticateSender, type ExportRequest, type Sender } from './export-request.js';
import { MAX_ACK_DELAY_MS, type BackpressureMonitor } from './ingest-backlog.js';
import type { ExportValidator } from './export-validator-pool.js';
import type { ThrottledErrorLog } from '../limits/log-throttle.js';
import {
  estimateValidationBytes,
  type MemoryBudget,
  type MemoryReservation,
  readClaimedGzipLength,
} from './memory-budget.js';
import {
  createOutOfMemoryRefusal,
  createOverloadedRefusal,
  createRefusal,
  createThrottledRefusal,
  createUnavailableRefusal,
  type ExportOutcome,
  type IngestMeters,
  type Refusal,
  toRefusalReason,
} from './export-outcome.js';

const DAY_MS = 86_400_000;
/** Records with timestamps further in the future are rejected. */
const MAX_CLOCK_SKEW_MS = 10 * 60_000;
/** Retry time while all validator threads are busy. */
const OVERLOAD_RETRY_MS = 1_000;

export interface OtlpReceiverOptions {
  readonly store: EventStore;
  readonly access: AccessControl;
  readonly guard: CredentialGuard;
  readonly validator: ExportValidator;
  readonly backpressure: BackpressureMonitor;
  readonly budget: MemoryBudget;
  readonly deduplicator: RequestDeduplicator;
  readonly meters: IngestMeters;
  readonly failures: ThrottledErrorLog;
  readonly keyUses: Pick<ApiKeyUsageListener, 'recordIngestion' | 'recordRefusal'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Maximum size of an inflated body. */
  readonly maxInflatedBytes: number;
}

/** The known parts of a request that is rejected by its head. */
export interface RefusedRequestHead extends Pick<ExportRequest, 'apiKey' | 'client'> {
  readonly signal: Signal | undefined;
}

type ValidBatch = Extract<ExportValidation, { ok: true }>;

/**
 * Processes export requests of any signal and transport: authenticate, check the load, read, validate, append. Failures that
 * a retry can resolve always become `overloaded` or `unavailable`.
 */
export class OtlpReceiver {
  private stopping = false;

  constructor(private readonly options: OtlpReceiverOptions) {}

  /** Rejects every new request as `unavailable` from now on. */
  stopAccepting(): void {
    this.stopping = true;
  }

  /** Never rejects. */
  async receive(call: ExportRequest): Promise<ExportOutcome> {
    const outcome = await this.process(call).catch((error: unknown) => this.toRefusal(error));
    if (outcome.kind !== 'accepted' && outcome.kind !== 'abandoned')
      this.options.meters.countRefused(call.signal, toRefusalReason(outcome));
    return outcome;
  }

  /**
   * Records a request that was rejected by its head: in the metrics and, if its key is valid, in the usage of the key. An
   * invalid key counts as a failed attempt. Never rejects: while keys cannot be looked up, only the metrics are updated.
   */
  async recordRefusal({ signal, apiKey, client }: RefusedRequestHead, refusal: Refusal): Promise<void> {
    const { access, guard, meters } = this.options;
    meters.countRefused(signal ?? 'unknown', toRefusalReason(refusal));
    if (apiKey === undefined || guard.waitMs(client, apiKey) > 0) return;
    const onKey = (key: PresentedKey | undefined): void =>
      key === undefined ? guard.recordFailure(client, apiKey) : this.recordKeyRefusal(key, signal, refusal);
    await access.findApiKey(apiKey).then(onKey, () => undefined);
  }

  private async process(call: ExportRequest): Promise<ExportOutcome> {
    const sender = await this.authenticate(call);
    if ('kind' in sender) return sender;
    const refusal = this.checkBackpressure(sender);
    if (refusal !== undefined) return refusal;
    const outcome = await this.ingestWithinBudget(call, sender);
    if (outcome.kind === 'accepted') await this.delayAcknowledgement(sender);
    return outcome;
  }

  private async ingestWithinBudget(call: ExportRequest, sender: Sender): Promise<ExportOutcome> {
    const reservation = await this.options.budget.reserve(1);
    if (reservation === undefined) return createOutOfMemoryRefusal();
    try {
      const outcome = await this.ingest(call, sender, reservation);
      if (outcome.kind !== 'accepted' && outcome.kind !== 'abandoned')
        this.recordKeyRefusal(sender, call.signal, outcome);
      return outcome;
    } finally {
      reservation.release();
    }
  }

  /** Keys from an address with too many failed attempts are not looked up. */
  private async authenticate({ apiKey, client, signal }: ExportRequest): Promise<Sender | Refusal> {
    const { access, guard } = this.options;
    const waitMs = apiKey === undefined ? 0 : guard.waitMs(client, apiKey);
    if (waitMs > 0) return createThrottledRefusal('too many requests with invalid API keys from this address', waitMs);
    const sender = await authenticateSender(access, apiKey, (key, refusal) =>
      this.recordKeyRefusal(key, signal, refusal),
    );
    if (apiKey === undefined) return sender;
    if (!('kind' in sender)) guard.recordSuccess(apiKey);
    else if (sender.kind === 'unauthenticated') guard.recordFailure(client, apiKey);
    return sender;
  }

  private checkBackpressure({ gridId }: Sender): Refusal | undefined {
    if (this.stopping) return createUnavailableRefusal('the service is shutting down');
    const decision = this.options.backpressure.decide(gridId);
    if (!decision.admit)
      return createOverloadedRefusal(
        'the ingestion backlog exceeds one second of work; retry later',
        decision.retryAfterMs,
      );
    return undefined;
  }

  private async ingest(call: ExportRequest, sender: Sender, reservation: MemoryReservation): Promise<ExportOutcome> {
    const receivedAt = this.options.now();
    const body = await call.readBody(reservation);
    if (!body.ok) return body.outcome;
    const validation = await this.validate(call, sender, receivedAt, body, reservation);
    if ('kind' in validation) return validation;
    if (validation.accepted > 0) await this.appendOnce(call, sender, receivedAt, validation);
    else this.options.meters.countAccepted(call.signal, 0, validation.rejected.length);
    const {
      accepted,
      rejected: { length: rejected },
      message,
    } = validation;
    this.options.keyUses.recordIngestion(sender, { signal: call.signal, accepted, rejected, message });
    return { kind: 'accepted', rejected, message };
  }

  private async validate(
    call: ExportRequest,
    sender: Sender,
    receivedAt: number,
    { bytes, encoding }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: ContentEncoding },
    reservation: MemoryReservation,
  ): Promise<ValidBatch | Refusal> {
    const { maxInflatedBytes } = this.options;
    if (encoding === 'gzip' && (readClaimedGzipLength(bytes) ?? 0) > maxInflatedBytes)
      return createTooLargeRefusal(maxInflatedBytes);
    const needed = estimateValidationBytes(call.format, encoding, bytes, maxInflatedBytes);
    if (!(await reservation.grow(Math.min(needed, reservation.headroom)))) return createOutOfMemoryRefusal();
    const validation = await this.options.validator.validate({
      gridId: sender.gridId,
      signal: call.signal,
      format: call.format,
      encoding,
      body: bytes,
      oldestMs: sender.retentionDays === 0 ? 0 : receivedAt - sender.retentionDays * DAY_MS,
      newestMs: receivedAt + MAX_CLOCK_SKEW_MS,
      maxInflatedBytes,
    });
    if (!validation.ok) return createRefusal(validation.fault, validation.message);
    reservation.shrinkTo(validation.body.byteLength);
    return validation;
  }

  private async appendOnce(
    call: ExportRequest,
    sender: Sender,
    receivedAt: number,
    validation: ValidBatch,
  ): Promise<void> {
    const { store, backpressure, deduplicator, meters } = this.options;
    const appended = await deduplicator.runOnce(validation.identity, receivedAt, async () => {
      const position = await appendRequest(store, { signal: call.signal, sender, receivedAt, validation });
      backpressure.recordAccepted(position, validation.accepted, sender.gridId);
    });
    if (appended) meters.countAccepted(call.signal, validation.accepted, validation.rejected.length);
    else meters.countDuplicates(call.signal, 1);
  }

  /** Skips refusals that a retry resolves, since they are not the sender's fault. */
  private recordKeyRefusal(key: PresentedKey, signal: Signal | undefined, { kind, message: reason }: Refusal): void {
    if (kind !== 'overloaded' && kind !== 'unavailable')
      this.options.keyUses.recordRefusal(key, { ...(signal !== undefined && { signal }), kind, reason });
  }

  /** The first stage of back-pressure: senders that wait for their acknowledgement send less. */
  private async delayAcknowledgement({ gridId }: Sender): Promise<void> {
    const decision = this.options.backpressure.decide(gridId);
    const delay = decision.admit ? decision.delayAckMs : MAX_ACK_DELAY_MS;
    if (delay > 0) await this.options.pause(delay);
  }

  private toRefusal(error: unknown): Refusal {
    if (hasCode(error, 'overloaded'))
      return createOverloadedRefusal('too many requests are being validated; retry later', OVERLOAD_RETRY_MS);
    this.options.failures.logError(error, 'Failed to store an export request; asked the sender to retry');
    return createUnavailableRefusal('the telemetry could not be stored; retry later');
  }
}

function createTooLargeRefusal(maxBytes: number): Refusal {
  return createRefusal('too-large', `the body inflates to more than ${maxBytes} bytes`);
}
