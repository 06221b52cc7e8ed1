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
/** Records from further in the future are rejected. */
const MAX_CLOCK_SKEW_MS = 10 * 60_000;
/** When threads are short. */
const OVERLOAD_RETRY_MS = 1_000;

export interface OtlpReceiverOptions {
  readonly store: EventStore;
  readonly access: AccessControl;
  readonly guard: CredentialGuard;
  readonly examiner: ExportValidator;
  readonly load: BackpressureMonitor;
  readonly budget: MemoryBudget;
  readonly acknowledged: RequestDeduplicator;
  readonly meters: IngestMeters;
  readonly failures: ThrottledErrorLog;
  readonly keyUses: Pick<ApiKeyUsageListener, 'sent' | 'refused'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
  /** A body that inflates to more is too large. */
  readonly maxInflatedBytes: number;
}

/** What is known of a request that is refused by its head alone. */
export interface RefusedRequestHead extends Pick<ExportRequest, 'apiKey' | 'client'> {
  readonly signal: Signal | undefined;
}

type ValidBatch = Extract<ExportValidation, { ok: true }>;

/**
 * Takes one export request of any signal from any transport to its outcome: admit, read, examine, append.
 * What a retry would cure never becomes anything but `overloaded` or `unavailable`.
 */
export class OtlpReceiver {
  private stopping = false;

  constructor(private readonly parts: OtlpReceiverOptions) {}

  /** From now on every new request is told to come back. */
  stopAccepting(): void {
    this.stopping = true;
  }

  /** Never rejects. */
  async receive(call: ExportRequest): Promise<ExportOutcome> {
    const outcome = await this.process(call).catch((error: unknown) => this.toRefusal(error));
    if (outcome.kind !== 'accepted' && outcome.kind !== 'abandoned')
      this.parts.meters.countRefused(call.signal, toRefusalReason(outcome));
    return outcome;
  }

  /**
   * Counts what is refused before there is a call, and tells its sender's administrators where its key is right. A wrong key
   * counts as one, as in any call. Never rejects: while keys cannot be looked up, nobody is told.
   */
  async recordRefusal({ signal, apiKey, client }: RefusedRequestHead, refusal: Refusal): Promise<void> {
    const { access, guard, meters } = this.parts;
    meters.countRefused(signal ?? 'unknown', toRefusalReason(refusal));
    if (apiKey === undefined || guard.waitMs(client, apiKey) > 0) return;
    const heard = (key: PresentedKey | undefined): void =>
      key === undefined ? guard.recordFailure(client, apiKey) : this.recordKeyRefusal(key, signal, refusal);
    await access.apiKey(apiKey).then(heard, () => undefined);
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
    const lease = await this.parts.budget.reserve(1);
    if (lease === undefined) return createOutOfMemoryRefusal();
    try {
      const outcome = await this.ingest(call, sender, lease);
      if (outcome.kind !== 'accepted' && outcome.kind !== 'abandoned')
        this.recordKeyRefusal(sender, call.signal, outcome);
      return outcome;
    } finally {
      lease.release();
    }
  }

  /** Whoever presented too many wrong keys lately is not looked up. */
  private async authenticate({ apiKey, client, signal }: ExportRequest): Promise<Sender | Refusal> {
    const { access, guard } = this.parts;
    const waitMs = apiKey === undefined ? 0 : guard.waitMs(client, apiKey);
    if (waitMs > 0) return createThrottledRefusal('too many wrong API keys came from this address', waitMs);
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
    const pace = this.parts.load.decide(gridId);
    if (!pace.admit)
      return createOverloadedRefusal(
        'more telemetry is waiting than can be made searchable within a second',
        pace.retryAfterMs,
      );
    return undefined;
  }

  private async ingest(call: ExportRequest, sender: Sender, lease: MemoryReservation): Promise<ExportOutcome> {
    const receivedAt = this.parts.now();
    const body = await call.readBody(lease);
    if (!body.ok) return body.outcome;
    const examination = await this.validate(call, sender, receivedAt, body, lease);
    if ('kind' in examination) return examination;
    if (examination.accepted > 0) await this.appendOnce(call, sender, receivedAt, examination);
    else this.parts.meters.countAccepted(call.signal, 0, examination.rejected.length);
    const {
      accepted,
      rejected: { length: rejected },
      message,
    } = examination;
    this.parts.keyUses.sent(sender, { signal: call.signal, accepted, rejected, message });
    return { kind: 'accepted', rejected, message };
  }

  private async validate(
    call: ExportRequest,
    sender: Sender,
    receivedAt: number,
    { bytes, encoding }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: ContentEncoding },
    lease: MemoryReservation,
  ): Promise<ValidBatch | Refusal> {
    const { maxInflatedBytes } = this.parts;
    if (encoding === 'gzip' && (readClaimedGzipLength(bytes) ?? 0) > maxInflatedBytes)
      return createTooLargeRefusal(maxInflatedBytes);
    const needed = estimateValidationBytes(call.format, encoding, bytes, maxInflatedBytes);
    if (!(await lease.grow(Math.min(needed, lease.headroom)))) return createOutOfMemoryRefusal();
    const examination = await this.parts.examiner.validate({
      gridId: sender.gridId,
      signal: call.signal,
      format: call.format,
      encoding,
      body: bytes,
      oldestMs: sender.retentionDays === 0 ? 0 : receivedAt - sender.retentionDays * DAY_MS,
      newestMs: receivedAt + MAX_CLOCK_SKEW_MS,
      maxInflatedBytes,
    });
    if (!examination.ok) return createRefusal(examination.fault, examination.message);
    lease.shrinkTo(examination.body.byteLength);
    return examination;
  }

  private async appendOnce(
    call: ExportRequest,
    sender: Sender,
    receivedAt: number,
    examination: ValidBatch,
  ): Promise<void> {
    const { store, load, acknowledged, meters } = this.parts;
    const appended = await acknowledged.runOnce(examination.identity, receivedAt, async () => {
      const position = await appendRequest(store, { signal: call.signal, sender, receivedAt, examination });
      load.recordAccepted(position, examination.accepted, sender.gridId);
    });
    if (appended) meters.countAccepted(call.signal, examination.accepted, examination.rejected.length);
    else meters.countDuplicates(call.signal, 1);
  }

  /** What a retry cures is no fault of the sender. */
  private recordKeyRefusal(key: PresentedKey, signal: Signal | undefined, { kind, message: reason }: Refusal): void {
    if (kind !== 'overloaded' && kind !== 'unavailable')
      this.parts.keyUses.refused(key, { ...(signal !== undefined && { signal }), kind, reason });
  }

  /** A sender that waits for its acknowledgement sends less: the first, gentle step of back-pressure. */
  private async delayAcknowledgement({ gridId }: Sender): Promise<void> {
    const pace = this.parts.load.decide(gridId);
    const delay = pace.admit ? pace.delayAckMs : MAX_ACK_DELAY_MS;
    if (delay > 0) await this.parts.pause(delay);
  }

  private toRefusal(error: unknown): Refusal {
    if (hasCode(error, 'overloaded'))
      return createOverloadedRefusal('too many requests are being examined', OVERLOAD_RETRY_MS);
    this.parts.failures.logError(error, 'an export request could not be taken; its sender was told to retry');
    return createUnavailableRefusal('the telemetry could not be stored now');
  }
}

function createTooLargeRefusal(maxBytes: number): Refusal {
  return createRefusal('too-large', `the body inflates to more than ${maxBytes} bytes`);
}
