import type { PlainPoint, PlainSpan } from '../../test/support/naive-rollups.js';
import type { GeneratedOperation, GeneratedService, GeneratedStep, GeneratedSystem } from './generated-system.js';
import type { RecordedLog } from './otlp-json-telemetry.js';
import type { RecordedTelemetry } from './recorded-telemetry.js';

/** What is wrong with one service; absent: as usual. */
export interface GeneratedFault {
  /** Times its usual work, and of its calls to databases. */
  readonly work?: number;
  readonly database?: number;
  /** Added to every call to and from it. */
  readonly wireMs?: number;
  /** Share of its requests that throw, of its database's answers that fail, of calls to it that nothing answers. */
  readonly throws?: number;
  readonly databaseErrors?: number;
  readonly unanswered?: number;
  readonly returnsEarly?: boolean;
  readonly cpu?: number;
  readonly version?: string;
  /** Only its first instance is concerned. */
  readonly isOneInstance?: boolean;
}

export interface FaultTime {
  readonly service: number;
  readonly fault: GeneratedFault;
  readonly fromMs: number;
}

interface Visit {
  readonly endMs: number;
  readonly failed: boolean;
}

const MINUTE_MS = 60_000;

/** Telemetry of a system over some minutes: spans, their log records, and the processor's use once a minute. */
export function simulateTelemetry(
  { services, rateAt }: GeneratedSystem,
  startMs: number,
  minutes: number,
  faultTime: FaultTime | undefined,
  random: () => number,
): RecordedTelemetry {
  const spans: PlainSpan[] = [];
  const logs: RecordedLog[] = [];
  const points: PlainPoint[] = [];
  let ids = 0;
  for (let minute = 0; minute < minutes; minute++) {
    const fromMs = startMs + minute * MINUTE_MS;
    const requests = Math.round(rateAt(minute));
    for (let i = 0; i < requests; i++) {
      const operation = Math.floor(services[0].operations.length * random());
      visit(0, services[0].operations[operation], `t${++ids}`, '', fromMs + MINUTE_MS * random());
    }
    services.forEach((service, index) => measure(service, index, fromMs + MINUTE_MS / 2));
  }
  return { spans, logs, points };

  function faultOf(service: number, ms: number, instance?: number): GeneratedFault {
    if (faultTime === undefined || faultTime.service !== service || ms < faultTime.fromMs) return {};
    return faultTime.fault.isOneInstance === true && instance !== undefined && instance > 0 ? {} : faultTime.fault;
  }

  function visit(index: number, operation: GeneratedOperation, traceId: string, parentId: string, ms: number): Visit {
    const service = services[index];
    const instance = Math.floor(service.instances * random());
    const fault = faultOf(index, ms, instance);
    const spanId = `s${++ids}`;
    const job = service.jobMinutes > 0 && Math.floor(ms / MINUTE_MS) % service.jobMinutes === 0 ? 3 : 1;
    const throws = random() < Math.max(fault.throws ?? 0, service.usualErrors);
    const ends = throws || fault.returnsEarly === true;
    let now = ms + vary(operation.workMs * (fault.work ?? 1) * job) * (ends ? 0.5 : 1);
    let failed = throws;
    log(index, traceId, spanId, ms, 9, `${operation.name} begins`);
    for (const step of ends ? [] : operation.steps) {
      if (random() >= step.probability) continue;
      const done = takeStep(index, step, fault, traceId, spanId, now);
      now = done.endMs;
      failed ||= done.failed;
    }
    if (throws) log(index, traceId, spanId, now, 17, `${operation.name} failed: null`);
    else if (!ends && !failed) log(index, traceId, spanId, now, 9, `${operation.name} done`);
    add(service, operation.name, 'SERVER', traceId, spanId, parentId, ms, now, failed, {
      instance: `${service.name}-${instance}`,
      version: fault.version ?? '1',
    });
    return { endMs: now, failed };
  }

  function takeStep(
    from: number,
    step: GeneratedStep,
    fault: GeneratedFault,
    traceId: string,
    parentId: string,
    ms: number,
  ): Visit {
    const spanId = `s${++ids}`;
    const caller = services[from];
    if (step.database !== undefined) {
      const endMs = ms + vary(step.ms * (fault.database ?? 1));
      const failed = random() < (fault.databaseErrors ?? 0);
      add(caller, 'SELECT', 'CLIENT', traceId, spanId, parentId, ms, endMs, failed, { peer: step.database });
      return { endMs, failed };
    }
    const to = step.service!;
    const operation = services[to].operations[step.operation!];
    const wire = () => vary(step.ms) + Math.max(faultOf(from, ms).wireMs ?? 0, faultOf(to, ms).wireMs ?? 0) / 2;
    const sentMs = ms + wire();
    const isUnanswered = random() < (faultOf(to, ms).unanswered ?? 0);
    const { endMs, failed } = isUnanswered
      ? { endMs: sentMs, failed: true }
      : visit(to, operation, traceId, spanId, sentMs);
    const backMs = endMs + wire();
    if (isUnanswered) log(from, traceId, parentId, backMs, 17, `call to ${services[to].name} refused`);
    const peer = { peer: services[to].name };
    add(caller, `call ${operation.name}`, 'CLIENT', traceId, spanId, parentId, ms, backMs, failed, peer);
    return { endMs: backMs, failed };
  }

  function measure({ name, instances }: GeneratedService, index: number, ms: number): void {
    for (let i = 0; i < instances; i++)
      points.push({
        service: name,
        instance: `${name}-${i}`,
        metric: 'process.cpu.utilization',
        unit: '1',
        kind: 'gauge',
        monotonic: false,
        attributes: [],
        timeUs: Math.floor(ms * 1000),
        value: (faultOf(index, ms, i).cpu ?? 0.2) * (0.8 + 0.4 * random()),
      });
  }

  function add(
    { name: service }: GeneratedService,
    operation: string,
    kind: PlainSpan['kind'],
    traceId: string,
    spanId: string,
    parentId: string,
    fromMs: number,
    toMs: number,
    error: boolean,
    more: Partial<PlainSpan>,
  ): void {
    const ids = { traceId, spanId, parentId };
    spans.push({ ...ids, service, operation, kind, startNs: toNs(fromMs), endNs: toNs(toMs), error, ...more });
  }

  function log(index: number, traceId: string, spanId: string, ms: number, severity: number, template: string): void {
    logs.push({ service: services[index].name, traceId, spanId, timeUs: Math.floor(ms * 1000), severity, template });
  }

  /** Mostly near the value, seldom several times it. */
  function vary(ms: number): number {
    return ms * (0.5 + 0.3 * random() - 0.35 * Math.log(1 - random()));
  }
}

function toNs(ms: number): bigint {
  return BigInt(Math.round(ms * 1e6));
}
