import type { ApiKeyUsageListener } from '../../auth/api-key-usage-listener.js';
import type { EventStore } from '../../streams/event-store.js';
import type { TimeBounds } from '../../telemetry/otlp/validation/request-validator.js';
import type { RequestDeduplicator } from './request-deduplicator.js';
import type { ExportRequest, ReadBodyResult } from './export-request.js';
import {
  type RefusedRequestHead,
  type Sender,
  SenderAuthenticator,
  type SenderAuthenticatorOptions,
} from './sender-authenticator.js';
import { appendRequest } from './telemetry-append.js';
import { MAX_ACK_DELAY_MS, type BackpressureMonitor } from './ingest-backlog.js';
import type { ExportValidator } from './export-validator-pool.js';
import { ResponseDeadline } from './response-deadline.js';
import { RefusalDelay } from '../limits/refusal-delay.js';
import type { ThrottledErrorLog } from '../limits/log-throttle.js';
import type { MemoryBudget, MemoryReservation } from './memory-budget.js';
import { type ValidBatch, validateInMemory } from './validate-in-memory.js';
import {
  createLateRefusal,
  createOverloadedRefusal,
  createUnavailableRefusal,
  type ExportOutcome,
  type IngestMeters,
  type Refusal,
  toRefusalReason,
} from './export-outcome.js';

const DAY_MS = 86_400_000;
/** Records with timestamps further in the future are rejected. */
const MAX_CLOCK_SKEW_MS = 10 * 60_000;

/**
 * The memory of all requests. It is divided in two, so that received bodies never prevent each other from being
 * validated.
 */
export interface IngestMemory {
  /** Bodies from their first byte until they are durable. */
  readonly bodies: MemoryBudget;
  /** Inflating and validating. */
  readonly validation: MemoryBudget;
}

export interface OtlpReceiverOptions extends SenderAuthenticatorOptions {
  readonly store: EventStore;
  readonly validator: ExportValidator;
  readonly backpressure: BackpressureMonitor;
  readonly memory: IngestMemory;
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
  /** Time (ms) for the answer to a request, without the time in which the sender sends (see ResponseDeadline). */
  readonly maxResponseMs: number;
}

/** An export request whose body is read, validated and appended. */
interface RunningRequest {
  readonly call: ExportRequest;
  readonly sender: Sender;
  readonly memory: { readonly body: MemoryReservation; readonly validation: MemoryReservation };
  readonly deadline: ResponseDeadline;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  isAppending: boolean;
  /** Set if the response asked the sender to retry before the work had ended. Never rejects. */
  lateWork?: Promise<void>;
}

type CompleteBody = Extract<ReadBodyResult, { ok: true }>;

/**
 * Processes export requests of any signal and transport: authenticate, check the load, read, validate, append. Failures
 * that a retry can resolve always become `overloaded` or `unavailable`.
 */
export class OtlpReceiver {
  private readonly senders: SenderAuthenticator;
  private readonly refusals: RefusalDelay;
  private stopping = false;

  constructor(private readonly options: OtlpReceiverOptions) {
    this.senders = new SenderAuthenticator(options);
    this.refusals = new RefusalDelay({ now: options.monotonic, pause: options.pause });
  }

  /** Rejects every new request as `unavailable` from now on; those whose body is being read or processed continue. */
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

  /** Records a request that was rejected by its head, in the metrics and in the usage of its key. Never rejects. */
  recordRefusal(head: RefusedRequestHead, refusal: Refusal): Promise<void> {
    this.options.meters.countRefused(head.signal ?? 'unknown', toRefusalReason(refusal));
    return this.senders.recordRefusal(head, refusal);
  }

  private async process(call: ExportRequest): Promise<ExportOutcome> {
    const deadline = new ResponseDeadline(this.options.maxResponseMs, this.options.monotonic);
    const sender = await deadline.limit(this.senders.authenticate(call), this.logLateFailure);
    if ('kind' in sender) return sender;
    if (this.stopping) return createUnavailableRefusal('the service is shutting down');
    const outcome = this.checkBacklog(sender) ?? (await this.ingestWithMemory(call, sender, deadline));
    if (outcome.kind === 'accepted') await this.delayAcknowledgement(sender, deadline);
    else if (outcome.kind !== 'abandoned') await this.refusals.wait(sender.ownerId);
    return outcome;
  }

  /** The memory of a request that is late is released when its work has ended. */
  private async ingestWithMemory(
    call: ExportRequest,
    sender: Sender,
    deadline: ResponseDeadline,
  ): Promise<ExportOutcome> {
    const { bodies, validation } = this.options.memory;
    const memory = { body: bodies.open(sender), validation: validation.open(sender) };
    const request: RunningRequest = {
      call,
      sender,
      memory,
      deadline,
      receivedAt: this.options.now(),
      isAppending: false,
    };
    try {
      const outcome = await this.ingest(request);
      if (outcome.kind !== 'accepted' && outcome.kind !== 'abandoned')
        this.senders.recordKeyRefusal(sender, call.signal, outcome);
      return outcome;
    } finally {
      if (request.lateWork === undefined) releaseMemory(request);
      else void request.lateWork.finally(() => releaseMemory(request));
    }
  }

  private checkBacklog(sender: Sender): Refusal | undefined {
    const decision = this.options.backpressure.decide(sender);
    if (!decision.admit)
      return createOverloadedRefusal(
        'the ingestion backlog exceeds one second of work; retry later',
        decision.retryAfterMs,
      );
    return undefined;
  }

  private async ingest(request: RunningRequest): Promise<ExportOutcome> {
    const { call, sender, memory, deadline } = request;
    const startedAt = this.options.monotonic();
    const body = await call.readBody(memory.body);
    deadline.extend(this.options.monotonic() - startedAt - memory.body.waitedMs);
    if (!body.ok) return body.outcome;
    const outcome = await this.storeInTime(request, body);
    if ('kind' in outcome) return outcome;
    const { accepted, message, written } = outcome;
    const rejected = countRejected(outcome);
    this.options.keyUses.recordIngestion(sender, { signal: call.signal, accepted, rejected, message });
    return { kind: 'accepted', rejected, message, ...(written && { written }) };
  }

  /** Work that is late is not stopped: what it stores counts once, because the retry is recognised. */
  private async storeInTime(request: RunningRequest, body: CompleteBody): Promise<ValidBatch | Refusal> {
    try {
      return await request.deadline.limit(this.store(request, body), (late) => {
        request.lateWork = late.then(() => undefined, this.logFailure);
      });
    } catch (error) {
      if (request.lateWork === undefined) throw error;
      if (request.isAppending)
        this.options.failures.logError(error, 'The event log is slow; asked the sender to retry');
      return createLateRefusal();
    }
  }

  /** Validates and appends. The result is a valid batch if its records are durable. */
  private async store(request: RunningRequest, { bytes, encoding }: CompleteBody): Promise<ValidBatch | Refusal> {
    const { call, sender, memory, deadline } = request;
    const { maxInflatedBytes, validator } = this.options;
    const validation = await validateInMemory(
      {
        gridId: sender.gridId,
        signal: call.signal,
        format: call.format,
        encoding,
        body: bytes,
        ...this.computeTimeBounds(sender),
        maxInflatedBytes,
      },
      { validator, memory: memory.validation, deadline },
    );
    if ('kind' in validation) return validation;
    memory.body.shrinkTo(validation.body.byteLength);
    return (await this.append(request, validation)) ?? validation;
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
      meters.countAccepted(request.call.signal, 0, countRejected(validation));
      return undefined;
    }
    const refusal = this.checkBacklog(request.sender);
    if (refusal !== undefined) return refusal;
    request.isAppending = true;
    await this.appendOnce(request, validation);
    return undefined;
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
    if (appended) meters.countAccepted(call.signal, validation.accepted, countRejected(validation));
    else meters.countDuplicates(call.signal, 1);
  }

  /** The first stage of back-pressure: senders that wait for their acknowledgement send less. */
  private async delayAcknowledgement(sender: Sender, deadline: ResponseDeadline): Promise<void> {
    const decision = this.options.backpressure.decide(sender);
    const delay = Math.min(deadline.leftMs, decision.admit ? decision.delayAckMs : MAX_ACK_DELAY_MS);
    if (delay > 0) await this.options.pause(delay);
  }

  private toRefusal(error: unknown): Refusal {
    this.logFailure(error);
    return createUnavailableRefusal('the telemetry could not be stored; retry later');
  }

  private readonly logFailure = (error: unknown): void => {
    this.options.failures.logError(error, 'Failed to store an export request; asked the sender to retry');
  };

  private readonly logLateFailure = (late: Promise<unknown>): void => void late.catch(this.logFailure);
}

function countRejected({ rejected, untranslated = 0 }: ValidBatch): number {
  return rejected.length + untranslated;
}

function releaseMemory({ memory }: RunningRequest): void {
  memory.body.release();
  memory.validation.release();
}
