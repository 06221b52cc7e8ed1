import type { Access } from '../../auth/access.js';
import type { KeyUses, PresentedKey } from '../../auth/key-uses.js';
import { hasCode } from '../../errors.js';
import type { EventStore } from '../../streams/event-store.js';
import type { Encoding } from '../../telemetry/encodings.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Examination } from '../../telemetry/otlp/examination.js';
import type { CredentialGuard } from '../credential-guard.js';
import type { AcknowledgedRequests } from './acknowledged-requests.js';
import { admitSender, type Sender } from './admission.js';
import { appendRequest } from './append-request.js';
import { MAX_ACK_DELAY_MS, type LoadGauge } from './backlog.js';
import type { Examiner } from './examiner-pool.js';
import type { ExportCall } from './export-call.js';
import type { FailureLog } from './failure-log.js';
import type { Lease, MemoryBudget } from './memory-budget.js';
import { bytesToExamine, claimedGzipLength } from './memory-need.js';
import { reasonOf, type IngestMeters } from './meters.js';
import { outOfMemory, overloaded, refuse, throttled, unavailable, type Outcome, type Refusal } from './outcome.js';

const DAY_MS = 86_400_000;
/** Records from further in the future are rejected. */
const MAX_AHEAD_MS = 10 * 60_000;
/** When threads are short. */
const BUSY_RETRY_MS = 1_000;

export interface ReceiverParts {
  readonly store: EventStore;
  readonly access: Access;
  readonly guard: CredentialGuard;
  readonly examiner: Examiner;
  readonly load: LoadGauge;
  readonly budget: MemoryBudget;
  readonly acknowledged: AcknowledgedRequests;
  readonly meters: IngestMeters;
  readonly failures: FailureLog;
  readonly keyUses: Pick<KeyUses, 'sent' | 'refused'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
  /** A body that inflates to more is too large. */
  readonly maxInflatedBytes: number;
}

/** What is known of a request that is refused by its head alone. */
export interface RefusedHead extends Pick<ExportCall, 'apiKey' | 'client'> {
  readonly signal: Signal | undefined;
}

type Examined = Extract<Examination, { ok: true }>;

/**
 * Takes one export request of any signal from any transport to its outcome: admit, read, examine, append.
 * What a retry would cure never becomes anything but `overloaded` or `unavailable`.
 */
export class Receiver {
  private stopping = false;

  constructor(private readonly parts: ReceiverParts) {}

  /** From now on every new request is told to come back. */
  refuseNew(): void {
    this.stopping = true;
  }

  /** Never rejects. */
  async receive(call: ExportCall): Promise<Outcome> {
    const outcome = await this.attempt(call).catch((error: unknown) => this.failed(error));
    if (outcome.kind !== 'accepted' && outcome.kind !== 'abandoned') this.parts.meters.refused(call.signal, reasonOf(outcome));
    return outcome;
  }

  /**
   * Counts what is refused before there is a call, and tells its sender's administrators where its key is right. A wrong key
   * counts as one, as in any call. Never rejects: while keys cannot be looked up, nobody is told.
   */
  async turnedAway({ signal, apiKey, client }: RefusedHead, refusal: Refusal): Promise<void> {
    const { access, guard, meters } = this.parts;
    meters.refused(signal ?? 'unknown', reasonOf(refusal));
    if (apiKey === undefined || guard.waitMs(client, apiKey) > 0) return;
    const heard = (key: PresentedKey | undefined): void => (key === undefined ? guard.failed(client, apiKey) : this.refused(key, signal, refusal));
    await access.apiKey(apiKey).then(heard, () => undefined);
  }

  private async attempt(call: ExportCall): Promise<Outcome> {
    const sender = await this.admit(call);
    if ('kind' in sender) return sender;
    const refusal = this.admitNow(sender);
    if (refusal !== undefined) return refusal;
    const outcome = await this.takeWithinBudget(call, sender);
    if (outcome.kind === 'accepted') await this.delayAck(sender);
    return outcome;
  }

  private async takeWithinBudget(call: ExportCall, sender: Sender): Promise<Outcome> {
    const lease = await this.parts.budget.lease(1);
    if (lease === undefined) return outOfMemory();
    try {
      const outcome = await this.take(call, sender, lease);
      if (outcome.kind !== 'accepted' && outcome.kind !== 'abandoned') this.refused(sender, call.signal, outcome);
      return outcome;
    } finally {
      lease.release();
    }
  }

  /** Whoever presented too many wrong keys lately is not looked up. */
  private async admit({ apiKey, client, signal }: ExportCall): Promise<Sender | Refusal> {
    const { access, guard } = this.parts;
    const waitMs = apiKey === undefined ? 0 : guard.waitMs(client, apiKey);
    if (waitMs > 0) return throttled('too many wrong API keys came from this address', waitMs);
    const sender = await admitSender(access, apiKey, (key, refusal) => this.refused(key, signal, refusal));
    if (apiKey === undefined) return sender;
    if (!('kind' in sender)) guard.proved(apiKey);
    else if (sender.kind === 'unauthenticated') guard.failed(client, apiKey);
    return sender;
  }

  private admitNow({ gridId }: Sender): Refusal | undefined {
    if (this.stopping) return unavailable('the service is shutting down');
    const pace = this.parts.load.pace(gridId);
    if (!pace.admit) return overloaded('more telemetry is waiting than can be made searchable within a second', pace.retryAfterMs);
    return undefined;
  }

  private async take(call: ExportCall, sender: Sender, lease: Lease): Promise<Outcome> {
    const receivedAt = this.parts.now();
    const body = await call.readBody(lease);
    if (!body.ok) return body.outcome;
    const examination = await this.examine(call, sender, receivedAt, body, lease);
    if ('kind' in examination) return examination;
    if (examination.accepted > 0) await this.keep(call, sender, receivedAt, examination);
    else this.parts.meters.accepted(call.signal, 0, examination.rejected.length);
    const { accepted, rejected: { length: rejected }, message } = examination;
    this.parts.keyUses.sent(sender, { signal: call.signal, accepted, rejected, message });
    return { kind: 'accepted', rejected, message };
  }

  private async examine(
    call: ExportCall,
    sender: Sender,
    receivedAt: number,
    { bytes, encoding }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: Encoding },
    lease: Lease,
  ): Promise<Examined | Refusal> {
    const { maxInflatedBytes } = this.parts;
    if (encoding === 'gzip' && (claimedGzipLength(bytes) ?? 0) > maxInflatedBytes) return tooLarge(maxInflatedBytes);
    const needed = bytesToExamine(call.format, encoding, bytes, maxInflatedBytes);
    if (!(await lease.grow(Math.min(needed, lease.headroom)))) return outOfMemory();
    const examination = await this.parts.examiner.examine({
      gridId: sender.gridId,
      signal: call.signal,
      format: call.format,
      encoding,
      body: bytes,
      oldestMs: sender.retentionDays === 0 ? 0 : receivedAt - sender.retentionDays * DAY_MS,
      newestMs: receivedAt + MAX_AHEAD_MS,
      maxInflatedBytes,
    });
    if (!examination.ok) return refuse(examination.fault, examination.message);
    lease.shrinkTo(examination.body.byteLength);
    return examination;
  }

  private async keep(call: ExportCall, sender: Sender, receivedAt: number, examination: Examined): Promise<void> {
    const { store, load, acknowledged, meters } = this.parts;
    const appended = await acknowledged.once(examination.identity, receivedAt, async () => {
      const position = await appendRequest(store, { signal: call.signal, sender, receivedAt, examination });
      load.accepted(position, examination.accepted, sender.gridId);
    });
    if (appended) meters.accepted(call.signal, examination.accepted, examination.rejected.length);
    else meters.duplicates(call.signal, 1);
  }

  /** What a retry cures is no fault of the sender. */
  private refused(key: PresentedKey, signal: Signal | undefined, { kind, message: reason }: Refusal): void {
    if (kind !== 'overloaded' && kind !== 'unavailable') this.parts.keyUses.refused(key, { ...(signal !== undefined && { signal }), kind, reason });
  }

  /** A sender that waits for its acknowledgement sends less: the first, gentle step of back-pressure. */
  private async delayAck({ gridId }: Sender): Promise<void> {
    const pace = this.parts.load.pace(gridId);
    const delay = pace.admit ? pace.delayAckMs : MAX_ACK_DELAY_MS;
    if (delay > 0) await this.parts.pause(delay);
  }

  private failed(error: unknown): Refusal {
    if (hasCode(error, 'overloaded')) return overloaded('too many requests are being examined', BUSY_RETRY_MS);
    this.parts.failures.failed(error, 'an export request could not be taken; its sender was told to retry');
    return unavailable('the telemetry could not be stored now');
  }
}

function tooLarge(maxBytes: number): Refusal {
  return refuse('too-large', `the body inflates to more than ${maxBytes} bytes`);
}
