import { createHash } from 'node:crypto';
import type {
  ApiKeyUsageListener,
  PresentedKey,
  RefusedKeyUse,
} from '../../../../../src/auth/api-key-usage-listener.js';
import type { Component, Health } from '../../../../../src/component.js';
import type { WorkShare } from '../../../../../src/scheduling/fair-queue.js';
import type {
  BackpressureDecision,
  BackpressureMonitor,
  BacklogEntry,
} from '../../../../../src/http/otlp/ingest-backlog.js';
import type {
  ExportValidator,
  TimedValidation,
  TransferableRequest,
  ValidationTurn,
} from '../../../../../src/http/otlp/export-validator-pool.js';
import type { ErrorLog } from '../../../../../src/http/limits/log-throttle.js';
import type { IngestMeters } from '../../../../../src/http/otlp/export-outcome.js';
import type { LogFields } from '../../../../../src/self-telemetry/logger.js';
import type { RefusalReason, RefusedSignal } from '../../../../../src/self-telemetry/prometheus-metrics.js';
import { MemoryEventStore } from '../../../../../src/streams/adapters/memory/memory-event-store.js';
import type {
  AppendResult,
  ExpectedRevision,
  NewEvent,
  RecordedEvent,
} from '../../../../../src/streams/event-store.js';
import { START } from '../../../../../src/streams/event-store.js';
import type { TelemetryReceived } from '../../../../../src/streams/events/telemetry-events.js';
import {
  type ExportValidation,
  validateExportRequest,
} from '../../../../../src/telemetry/otlp/validation/validate-export-request.js';
import type { Signal } from '../../../../../src/telemetry/signals.js';

class Healthy implements Component {
  check(): Promise<Health> {
    return Promise.resolve({ ok: true });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Examines on the calling thread; `instead` replaces the real codec, and `asked` keeps what it was asked. */
export class InlineValidator extends Healthy implements ExportValidator {
  readonly asked: TransferableRequest[] = [];
  readonly turns: ValidationTurn[] = [];

  constructor(
    private readonly instead: (
      request: TransferableRequest,
    ) => ExportValidation | Promise<ExportValidation> = validateExportRequest,
  ) {
    super();
  }

  async validate(request: TransferableRequest, turn: ValidationTurn): Promise<TimedValidation> {
    this.asked.push(request);
    this.turns.push(turn);
    const { body } = request;
    return { validation: await this.instead(request), tookMs: 0, body };
  }
}

/** Takes any body for one record per byte, of which those with the value 255 are rejected. */
export function validateBytes({ gridId, signal, body, encoding }: TransferableRequest): ExportValidation {
  const rejected = [...body.keys()].filter((n) => body[n] === 255);
  const identity = createHash('sha256').update(`${gridId} ${signal} `).update(body).digest('hex');
  const message = rejected.length === 0 ? '' : 'value 255';
  return {
    ok: true,
    accepted: body.byteLength - rejected.length,
    rejected,
    message,
    identity,
    body,
    encoding: encoding === 'snappy' || encoding === 'lz4' ? 'gzip' : encoding,
    inflatedBytes: body.byteLength,
  };
}

/** A memory store that can be told to fail before or after it has written. */
export class UnreliableStore extends MemoryEventStore {
  /** Called before each append; throws to refuse it. */
  before: () => void | Promise<void> = () => undefined;
  /** Called after each append; throws to lose the answer. */
  after: () => void = () => undefined;

  override async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    await this.before();
    const result = await super.append(stream, expected, events);
    this.after();
    return result;
  }

  async received(): Promise<RecordedEvent<TelemetryReceived>[]> {
    return (await this.readAll(START, { limit: 1_000_000 })) as RecordedEvent<TelemetryReceived>[];
  }
}

export class FixedLoad implements BackpressureMonitor {
  decision: BackpressureDecision = { admit: true, delayAckMs: 0 };
  records = 0;
  /** Of whom it was told and asked. */
  readonly grids = new Set<string>();

  /** Records that were begun but not appended. */
  cancelled = 0;

  begin({ gridId }: WorkShare, records: number): BacklogEntry {
    this.grids.add(gridId);
    return {
      settle: () => {
        this.records += records;
      },
      cancel: () => {
        this.cancelled += records;
      },
    };
  }

  decide({ gridId }: WorkShare): BackpressureDecision {
    this.grids.add(gridId);
    return this.decision;
  }
}

export class CountingMeters implements IngestMeters {
  readonly records: Record<Signal, number> = { traces: 0, logs: 0, metrics: 0 };
  rejected = 0;
  repeated = 0;
  readonly refusals: RefusalReason[] = [];
  readonly refusedSignals: RefusedSignal[] = [];

  countAccepted(signal: Signal, records: number, rejected: number): void {
    this.records[signal] += records;
    this.rejected += rejected;
  }

  countRefused(signal: RefusedSignal, reason: RefusalReason): void {
    this.refusals.push(reason);
    this.refusedSignals.push(signal);
  }

  countDuplicates(_signal: Signal, requests: number): void {
    this.repeated += requests;
  }
}

/** Keeps what was logged. */
export class KeptLog implements ErrorLog {
  readonly lines: { readonly message: string; readonly fields: LogFields | undefined }[] = [];

  error(message: string, fields?: LogFields): void {
    this.lines.push({ message, fields });
  }
}

/** Hears what keys are used for, a line each. */
export class RecordingUsageListener implements ApiKeyUsageListener {
  readonly notified: string[] = [];

  recordUse({ keyId }: PresentedKey): void {
    this.notified.push(`${keyId} used`);
  }

  recordIngestion(
    { keyId }: PresentedKey,
    { signal, accepted, rejected, message }: Parameters<ApiKeyUsageListener['recordIngestion']>[1],
  ): void {
    this.notified.push(`${keyId} sent ${signal} ${accepted}/${rejected} ${message}`.trim());
  }

  recordRefusal({ keyId }: PresentedKey, { signal, kind, reason }: RefusedKeyUse): void {
    this.notified.push(`${keyId} refused ${signal ?? 'something'} ${kind}: ${reason}`);
  }
}
