import type { AccessControl } from '../../auth/access-control.js';
import type { ApiKeyUsageListener, PresentedKey } from '../../auth/api-key-usage-listener.js';
import { hasCode } from '../../errors.js';
import type { EventStore } from '../../streams/event-store.js';
import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import type { Signal } from '../../telemetry/signals.js';
import type { TimeBounds } from '../../telemetry/otlp/validation/request-validator.js';
import type { ExportValidation } from '../../telemetry/otlp/validation/validate-export-request.js';
import { type CredentialGuard, RETRY_TURN_MS } from '../limits/credential-guard.js';
import type { RequestDeduplicator } from './request-deduplicator.js';
import { appendRequest, authenticateSender, type ExportRequest, type Sender } from './export-request.js';
import { MAX_ACK_DELAY_MS, type BackpressureMonitor } from './ingest-backlog.js';
import type { ExportValidator, TransferableRequest } from './export-validator-pool.js';
import type { WorkShare } from '../../scheduling/fair-queue.js';
import { WaitingTime } from './waiting-time.js';
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
/** Retry time (ms) while the validator threads or the disk are busy. */
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
  /** Milliseconds since any moment, not affected by changes of the clock. */
  readonly monotonic: () => number;
  /** The times that may be the current one; they differ while the clock is in doubt. */
  readonly possibleNow: () => { readonly earliest: number; readonly latest: number };
  readonly pause: (ms: number) => Promise<unknown>;
  /** Maximum size of an inflated body. */
  readonly maxInflatedBytes: number;
  /** How long (ms) a request waits for memory, its turn and the disk before the sender is told to retry. */
  readonly maxWaitMs: number;
}

/** The known parts of a request that is rejected by its head. */
export interface RefusedRequestHead extends Pick<ExportRequest, 'apiKey' | 'client'> {
  readonly signal: Signal | undefined;
}

/** An export request whose body is read, validated and appended. */
interface RunningRequest {
  readonly call: ExportRequest;
  readonly sender: Sender;
  readonly reservation: MemoryReservation;
  readonly waiting: WaitingTime;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Set if the sender was told to retry before the append had ended. Never rejects. */
  lateAppend?: Promise<void>;
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
    const waiting = new WaitingTime(this.options.maxWaitMs);
    const sender = await this.authenticate(call);
    if ('kind' in sender) return sender;
    const refusal = this.checkBackpressure(sender);
    if (refusal !== undefined) return refusal;
    const outcome = await this.ingestWithinBudget(call, sender, waiting);
    if (outcome.kind === 'accepted') await this.delayAcknowledgement(sender, waiting);
    return outcome;
  }

  /** The memory of a request whose append is late is released with the append. */
  private async ingestWithinBudget(call: ExportRequest, sender: Sender, waiting: WaitingTime): Promise<ExportOutcome> {
    const reservation = await this.options.budget.reserve(1);
    if (reservation === undefined) return createOutOfMemoryRefusal();
    const request: RunningRequest = { call, sender, reservation, waiting, receivedAt: this.options.now() };
    try {
      const outcome = await this.ingest(request);
      if (outcome.kind !== 'accepted' && outcome.kind !== 'abandoned')
        this.recordKeyRefusal(sender, call.signal, outcome);
      return outcome;
    } finally {
      if (request.lateAppend === undefined) reservation.release();
      else void request.lateAppend.finally(() => reservation.release());
    }
  }

  /** Unknown keys from an address with too many failed attempts wait for a turn; invalid ones are then `throttled`. */
  private async authenticate({ apiKey, client, connection, signal }: ExportRequest): Promise<Sender | Refusal> {
    const { access, guard } = this.options;
    const waitMs = apiKey === undefined ? 0 : guard.waitMs(client, apiKey);
    if (waitMs > 0 && !(await guard.takeTurn(client, connection ?? {}))) return createGuessingRefusal(RETRY_TURN_MS);
    const sender = await authenticateSender(access, apiKey, (key, refusal) =>
      this.recordKeyRefusal(key, signal, refusal),
    );
    if (apiKey === undefined) return sender;
    if (!('kind' in sender)) guard.recordSuccess(apiKey);
    else if (sender.kind === 'unauthenticated') {
      guard.recordFailure(client, apiKey);
      if (waitMs > 0) return createGuessingRefusal(waitMs);
    }
    return sender;
  }

  private checkBackpressure(sender: Sender): Refusal | undefined {
    if (this.stopping) return createUnavailableRefusal('the service is shutting down');
    const decision = this.options.backpressure.decide(sender);
    if (!decision.admit)
      return createOverloadedRefusal(
        'the ingestion backlog exceeds one second of work; retry later',
        decision.retryAfterMs,
      );
    return undefined;
  }

  private async ingest(request: RunningRequest): Promise<ExportOutcome> {
    const { call, sender, reservation, waiting } = request;
    const body = await call.readBody(reservation);
    waiting.spend(reservation.waitedMs);
    if (!body.ok) return body.outcome;
    const validation = await this.validate(request, body);
    if ('kind' in validation) return validation;
    const {
      accepted,
      rejected: { length: rejected },
      message,
    } = validation;
    const refusal = await this.append(request, validation);
    if (refusal !== undefined) return refusal;
    this.options.keyUses.recordIngestion(sender, { signal: call.signal, accepted, rejected, message });
    return { kind: 'accepted', rejected, message };
  }

  private async validate(
    { call, sender, reservation, waiting }: RunningRequest,
    { bytes, encoding }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: ContentEncoding },
  ): Promise<ValidBatch | Refusal> {
    const { maxInflatedBytes, validator } = this.options;
    if (encoding === 'gzip' && (readClaimedGzipLength(bytes) ?? 0) > maxInflatedBytes)
      return createTooLargeRefusal(maxInflatedBytes);
    const needed = estimateValidationBytes(call.format, encoding, bytes, maxInflatedBytes);
    const waitedMs = reservation.waitedMs;
    if (!(await reservation.grow(Math.min(needed, reservation.headroom)))) return createOutOfMemoryRefusal();
    waiting.spend(reservation.waitedMs - waitedMs);
    const validation = await validateInTurn(validator, waiting, sender, {
      gridId: sender.gridId,
      signal: call.signal,
      format: call.format,
      encoding,
      body: bytes,
      ...this.computeTimeBounds(sender),
      maxInflatedBytes,
    });
    if ('kind' in validation) return validation;
    if (!validation.ok) return createRefusal(validation.fault, validation.message);
    reservation.shrinkTo(validation.body.byteLength);
    return validation;
  }

  /** Telemetry is rejected if it is older than the retention allows, or than what has expired already. */
  private computeTimeBounds({ retentionDays, expiredBefore }: Sender): TimeBounds {
    const { earliest, latest } = this.options.possibleNow();
    const allowed = retentionDays === 0 ? 0 : earliest - retentionDays * DAY_MS;
    return { oldestMs: Math.max(allowed, expiredBefore), newestMs: latest + MAX_CLOCK_SKEW_MS };
  }

  /**
   * Resolves when the records are durable. The backlog is checked once more: meanwhile other requests may have been
   * appended.
   */
  private async append(request: RunningRequest, validation: ValidBatch): Promise<Refusal | undefined> {
    const { meters } = this.options;
    if (validation.accepted === 0) {
      meters.countAccepted(request.call.signal, 0, validation.rejected.length);
      return undefined;
    }
    const refusal = this.checkBackpressure(request.sender);
    if (refusal !== undefined) return refusal;
    try {
      await request.waiting.limit(this.appendOnce(request, validation), (late) => {
        request.lateAppend = late.catch((error: unknown) => this.logFailure(error));
      });
      return undefined;
    } catch (error) {
      if (request.lateAppend === undefined) throw error;
      this.options.failures.logError(error, 'The event log is slow; asked the sender to retry');
      return createLateRefusal();
    }
  }

  private async appendOnce({ call, sender, receivedAt }: RunningRequest, validation: ValidBatch): Promise<void> {
    const { store, backpressure, deduplicator, meters } = this.options;
    const appended = await deduplicator.runOnce(validation.identity, this.options.monotonic(), async () => {
      const entry = backpressure.begin(sender, validation.accepted);
      try {
        entry.settle(await appendRequest(store, { signal: call.signal, sender, receivedAt, validation }));
      } catch (error) {
        entry.cancel();
        throw error;
      }
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
  private async delayAcknowledgement(sender: Sender, waiting: WaitingTime): Promise<void> {
    const decision = this.options.backpressure.decide(sender);
    const delay = Math.min(waiting.leftMs, decision.admit ? decision.delayAckMs : MAX_ACK_DELAY_MS);
    if (delay > 0) await this.options.pause(delay);
  }

  private toRefusal(error: unknown): Refusal {
    this.logFailure(error);
    return createUnavailableRefusal('the telemetry could not be stored; retry later');
  }

  private logFailure(error: unknown): void {
    this.options.failures.logError(error, 'Failed to store an export request; asked the sender to retry');
  }
}

/** Validates when it is the sender's turn. */
async function validateInTurn(
  validator: ExportValidator,
  waiting: WaitingTime,
  share: WorkShare,
  request: TransferableRequest,
): Promise<ExportValidation | Refusal> {
  const startedAt = performance.now();
  try {
    const { validation, tookMs } = await validator.validate(request, { share, maxWaitMs: waiting.leftMs });
    waiting.spend(performance.now() - startedAt - tookMs);
    return validation;
  } catch (error) {
    if (hasCode(error, 'overloaded'))
      return createOverloadedRefusal('too many requests are being validated; retry later', OVERLOAD_RETRY_MS);
    if (hasCode(error, 'unavailable')) return createLateRefusal();
    throw error;
  }
}

function createGuessingRefusal(retryAfterMs: number): Refusal {
  return createThrottledRefusal('too many requests with invalid API keys from this address', retryAfterMs);
}

function createTooLargeRefusal(maxBytes: number): Refusal {
  return createRefusal('too-large', `the body inflates to more than ${maxBytes} bytes`);
}

function createLateRefusal(): Refusal {
  return createUnavailableRefusal('the request could not be processed in time; retry later', OVERLOAD_RETRY_MS);
}
