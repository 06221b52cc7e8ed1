import { createHash } from 'node:crypto';
import type { KeyUses, PresentedKey, RefusedUse } from '../../../../src/auth/key-uses.js';
import type { Component, Health } from '../../../../src/component.js';
import type { LoadGauge, Pace } from '../../../../src/http/otlp/backlog.js';
import type { Examiner, TransferableRequest } from '../../../../src/http/otlp/examiner-pool.js';
import type { IngestLog } from '../../../../src/http/otlp/failure-log.js';
import type { IngestMeters } from '../../../../src/http/otlp/meters.js';
import type { LogFields } from '../../../../src/log.js';
import type { RefusalReason, RefusedSignal } from '../../../../src/metrics/metrics.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import type { AppendResult, ExpectedRevision, NewEvent, Position, RecordedEvent } from '../../../../src/streams/event-store.js';
import { START } from '../../../../src/streams/event-store.js';
import type { TelemetryReceived } from '../../../../src/streams/events/telemetry-events.js';
import { examine } from '../../../../src/telemetry/otlp/examine.js';
import type { Examination } from '../../../../src/telemetry/otlp/examination.js';
import type { Signal } from '../../../../src/telemetry/signals.js';

class Healthy implements Component {
  check(): Promise<Health> {
    return Promise.resolve({ ok: true });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Examines on the calling thread; `instead` replaces the real codec, and `asked` keeps what it was asked. */
export class InlineExaminer extends Healthy implements Examiner {
  readonly asked: TransferableRequest[] = [];

  constructor(private readonly instead: (request: TransferableRequest) => Examination | Promise<Examination> = examine) {
    super();
  }

  async examine(request: TransferableRequest): Promise<Examination> {
    this.asked.push(request);
    return this.instead(request);
  }
}

/** Takes any body for one record per byte, of which those with the value 255 are rejected. */
export function examineBytes({ gridId, signal, body, encoding }: TransferableRequest): Examination {
  const rejected = [...body.keys()].filter((n) => body[n] === 255);
  const identity = createHash('sha256').update(`${gridId} ${signal} `).update(body).digest('hex');
  const message = rejected.length === 0 ? '' : 'value 255';
  return { ok: true, accepted: body.byteLength - rejected.length, rejected, message, identity, body, encoding, inflatedBytes: body.byteLength };
}

/** A memory store that can be told to fail before or after it has written. */
export class UnreliableStore extends MemoryEventStore {
  /** Called before each append; throws to refuse it. */
  before: () => void | Promise<void> = () => undefined;
  /** Called after each append; throws to lose the answer. */
  after: () => void = () => undefined;

  override async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    await this.before();
    const result = await super.append(stream, expected, events);
    this.after();
    return result;
  }

  async received(): Promise<RecordedEvent<TelemetryReceived>[]> {
    return (await this.readAll(START, { limit: 1_000_000 })) as RecordedEvent<TelemetryReceived>[];
  }
}

export class FixedLoad implements LoadGauge {
  paceNow: Pace = { admit: true, delayAckMs: 0 };
  records = 0;
  /** Of whom it was told and asked. */
  readonly grids = new Set<string>();

  accepted(_position: Position, records: number, gridId: string): void {
    this.records += records;
    this.grids.add(gridId);
  }

  pace(gridId: string): Pace {
    this.grids.add(gridId);
    return this.paceNow;
  }
}

export class CountingMeters implements IngestMeters {
  readonly records: Record<Signal, number> = { traces: 0, logs: 0, metrics: 0 };
  rejected = 0;
  repeated = 0;
  readonly refusals: RefusalReason[] = [];
  readonly refusedSignals: RefusedSignal[] = [];

  accepted(signal: Signal, records: number, rejected: number): void {
    this.records[signal] += records;
    this.rejected += rejected;
  }

  refused(signal: RefusedSignal, reason: RefusalReason): void {
    this.refusals.push(reason);
    this.refusedSignals.push(signal);
  }

  duplicates(_signal: Signal, requests: number): void {
    this.repeated += requests;
  }
}

/** Keeps what was logged. */
export class KeptLog implements IngestLog {
  readonly lines: { readonly message: string; readonly fields: LogFields | undefined }[] = [];

  error(message: string, fields?: LogFields): void {
    this.lines.push({ message, fields });
  }
}

/** Hears what keys are used for, a line each. */
export class HeardUses implements KeyUses {
  readonly heard: string[] = [];

  used({ keyId }: PresentedKey): void {
    this.heard.push(`${keyId} used`);
  }

  sent({ keyId }: PresentedKey, { signal, accepted, rejected, message }: Parameters<KeyUses['sent']>[1]): void {
    this.heard.push(`${keyId} sent ${signal} ${accepted}/${rejected} ${message}`.trim());
  }

  refused({ keyId }: PresentedKey, { signal, kind, reason }: RefusedUse): void {
    this.heard.push(`${keyId} refused ${signal ?? 'something'} ${kind}: ${reason}`);
  }
}
