import type { DiagnosticsInput } from '../../../../src/diagnostics/diagnostics-input.js';
import { MINUTE_MS, type AnalysisWindows } from '../../../../src/diagnostics/time-windows.js';
import { naiveRollups, type PlainLog, type PlainPoint, type PlainSpan } from '../../../support/naive-rollups.js';
import { ofMinutes } from '../given-rollups.js';

/** What is wrong with a service in one minute; nothing is left out where nothing is. */
export interface Fault {
  /** Times the usual time of its own work, of its network, of calls to its database. */
  readonly work?: number;
  readonly wire?: number;
  readonly database?: number;
  /** Share of its requests that it fails; of its database's answers. */
  readonly errors?: number;
  readonly databaseErrors?: number;
  /** Returns before it calls anybody. */
  readonly returnsEarly?: boolean;
  /** Only this instance is concerned. */
  readonly instance?: number;
  readonly version?: string;
  readonly cpu?: number;
  readonly memory?: number;
  readonly poolUse?: number;
  readonly poolWaiting?: number;
}

export interface Scenario {
  /** Fault of a service in a minute of the scenario, 0 to 74; the window begins with minute 60. */
  readonly fault?: (service: string, minute: number) => Fault | undefined;
  /** Requests from outside a minute. */
  readonly rate?: (minute: number) => number;
  readonly seed?: number;
  /** Of what ended after this moment (ms), half of the child spans and all logs have not arrived. */
  readonly late?: number;
  /** Share of the spans that are recorded, each chosen by itself; absent: all. */
  readonly recorded?: number;
  /** Whether what ended in this second of a minute, 0 to 60, was recorded; absent: all. */
  readonly isRecorded?: (second: number, minute: number) => boolean;
}

interface Part {
  readonly service: string;
  readonly operation: string;
  readonly workMs: number;
  readonly database?: { readonly name: string; readonly ms: number };
  readonly calls: readonly Part[];
}

const PAYMENTS: Part = { service: 'payments', operation: 'POST /charge', workMs: 20, calls: [] };
const STOCK: Part = {
  service: 'stock',
  operation: 'POST /reserve',
  workMs: 8,
  database: { name: 'stock-db', ms: 6 },
  calls: [],
};
const ORDERS: Part = {
  service: 'orders',
  operation: 'POST /orders',
  workMs: 12,
  database: { name: 'orders-db', ms: 9 },
  calls: [STOCK, PAYMENTS],
};
const CATALOG: Part = {
  service: 'catalog',
  operation: 'GET /items',
  workMs: 10,
  database: { name: 'catalog-db', ms: 5 },
  calls: [],
};
const CHECKOUT: Part = { service: 'gateway', operation: 'POST /checkout', workMs: 4, calls: [CATALOG, ORDERS] };
const BROWSE: Part = { service: 'gateway', operation: 'GET /browse', workMs: 3, calls: [CATALOG] };
const SERVICES = ['gateway', 'catalog', 'orders', 'stock', 'payments'];

export const FIRST_MINUTE = 28_000_000;
const MINUTES = 75;
const INSTANCES = 3;
const WIRE_MS = 1;

/** The last 15 of 75 minutes, with the hour before. */
export const FRAMES: AnalysisWindows = {
  nowMs: (FIRST_MINUTE + MINUTES) * MINUTE_MS,
  current: { fromMs: (FIRST_MINUTE + 60) * MINUTE_MS, toMs: (FIRST_MINUTE + MINUTES) * MINUTE_MS },
  baseline: { fromMs: FIRST_MINUTE * MINUTE_MS, toMs: (FIRST_MINUTE + 60) * MINUTE_MS },
};

/** Rollups of a shop of five services, with three databases that send no spans. */
export function littleShop(scenario: Scenario): DiagnosticsInput {
  return ofMinutes(naiveRollups(new Shop(scenario).run()));
}

class Shop {
  private readonly spans: PlainSpan[] = [];
  private readonly logs: PlainLog[] = [];
  private readonly points: PlainPoint[] = [];
  private state: number;
  private ids = 0;
  private minute = 0;

  constructor(private readonly scenario: Scenario) {
    this.state = scenario.seed ?? 1;
  }

  run(): { spans: PlainSpan[]; logs: PlainLog[]; points: PlainPoint[] } {
    for (; this.minute < MINUTES; this.minute++) {
      const requests = Math.round((this.scenario.rate?.(this.minute) ?? 40) * (0.9 + 0.2 * this.random()));
      for (let i = 0; i < requests; i++)
        this.visit(
          this.random() < 0.4 ? CHECKOUT : BROWSE,
          String(++this.ids),
          '',
          ((FIRST_MINUTE + this.minute) * 60 + 50 * this.random()) * 1000,
        );
      for (const service of SERVICES) this.measure(service);
    }
    const { late = Infinity, recorded = 1, isRecorded = () => true } = this.scenario;
    const isKept = (ms: number) => isRecorded((ms / 1000) % 60, Math.floor(ms / MINUTE_MS) - FIRST_MINUTE);
    const spans = this.spans.filter(
      ({ endNs, parentId, spanId }) =>
        isKept(Number(endNs) / 1e6) &&
        (Number(endNs) / 1e6 < late || parentId === '' || Number(spanId) % 2 === 0) &&
        (recorded === 1 || this.random() < recorded),
    );
    const logs = this.logs.filter(({ timeUs }) => timeUs / 1000 < late && isKept(timeUs / 1000));
    return { spans, logs, points: this.points };
  }

  /** A server span and all below it; when it ends, and whether it failed. */
  private visit(part: Part, traceId: string, parentId: string, startMs: number): { endMs: number; error: boolean } {
    const instance = Math.floor(this.random() * INSTANCES);
    const fault = this.faultOf(part.service, instance);
    const spanId = String(++this.ids);
    const fails = this.random() < (fault.errors ?? 0);
    let now = startMs + this.jitter(part.workMs * (fault.work ?? 1)) * (fault.returnsEarly === true ? 0.2 : 1);
    let error = fails;
    this.log(part, startMs, 9, `${part.operation} begins`);
    if (fault.returnsEarly !== true && !fails) {
      for (const next of [...(part.database === undefined ? [] : [part.database]), ...part.calls]) {
        const called =
          'name' in next
            ? this.query(part, next, fault, traceId, spanId, now)
            : this.call(part, next, traceId, spanId, now);
        now = called.endMs;
        error ||= called.error;
      }
    }
    if (error) this.log(part, now, 17, `${part.operation} failed`);
    else if (fault.returnsEarly !== true) this.log(part, now, 9, `${part.operation} done`);
    this.add(part.service, part.operation, 'SERVER', traceId, spanId, parentId, startMs, now, error, {
      instance: `${part.service}-${instance}`,
      version: fault.version ?? '1.0',
    });
    return { endMs: now, error };
  }

  private call(
    from: Part,
    to: Part,
    traceId: string,
    parentId: string,
    startMs: number,
  ): { endMs: number; error: boolean } {
    const spanId = String(++this.ids);
    const wire = this.jitter(
      WIRE_MS * Math.max(this.faultOf(from.service).wire ?? 1, this.faultOf(to.service).wire ?? 1),
    );
    const { endMs, error } = this.visit(to, traceId, spanId, startMs + wire);
    this.add(from.service, to.operation, 'CLIENT', traceId, spanId, parentId, startMs, endMs + wire, error, {
      peer: to.service,
    });
    return { endMs: endMs + wire, error };
  }

  private query(
    from: Part,
    { name, ms }: { name: string; ms: number },
    fault: Fault,
    traceId: string,
    parentId: string,
    startMs: number,
  ): { endMs: number; error: boolean } {
    const endMs = startMs + this.jitter(ms * (fault.database ?? 1));
    const error = this.random() < (fault.databaseErrors ?? 0);
    this.add(from.service, 'SELECT', 'CLIENT', traceId, String(++this.ids), parentId, startMs, endMs, error, {
      peer: name,
    });
    return { endMs, error };
  }

  private measure(service: string): void {
    const { cpu = 0.2, memory = 0.4, poolUse = 2, poolWaiting = 0 } = this.faultOf(service);
    for (let i = 0; i < INSTANCES; i++) {
      const point = (metric: string, unit: string, value: number, attributes: PlainPoint['attributes'] = []) =>
        this.points.push({
          service,
          instance: `${service}-${i}`,
          metric,
          unit,
          kind: 'gauge',
          monotonic: false,
          attributes,
          timeUs: ((FIRST_MINUTE + this.minute) * 60 + 30) * 1e6,
          value,
        });
      point('process.cpu.utilization', '1', cpu * (0.95 + 0.1 * this.random()));
      point('process.memory.utilization', '1', memory * (0.95 + 0.1 * this.random()));
      point('db.client.connection.count', '{connection}', poolUse, [['db.client.connection.state', 'used']]);
      point('db.client.connection.max', '{connection}', 10);
      point('db.client.connection.pending_requests', '{request}', poolWaiting);
    }
  }

  private add(
    service: string,
    operation: string,
    kind: PlainSpan['kind'],
    traceId: string,
    spanId: string,
    parentId: string,
    startMs: number,
    endMs: number,
    error: boolean,
    more: Partial<PlainSpan>,
  ): void {
    this.spans.push({
      traceId,
      spanId,
      parentId,
      service,
      operation,
      kind,
      startNs: BigInt(Math.round(startMs * 1e6)),
      endNs: BigInt(Math.round(endMs * 1e6)),
      error,
      ...more,
    });
  }

  private log({ service }: Part, timeMs: number, severity: number, template: string): void {
    this.logs.push({ service, timeUs: Math.floor(timeMs * 1000), severity, template });
  }

  private faultOf(service: string, instance?: number): Fault {
    const fault = this.scenario.fault?.(service, this.minute) ?? {};
    return fault.instance === undefined || instance === undefined || fault.instance === instance ? fault : {};
  }

  /** Mostly near the value, seldom several times it. */
  private jitter(ms: number): number {
    return ms * (0.6 + 0.5 * this.random() - 0.3 * Math.log(1 - this.random()));
  }

  /** Park and Miller's generator: 0 ≤ value < 1. */
  private random(): number {
    this.state = (this.state * 48271) % 2147483647;
    return (this.state - 1) / 2147483646;
  }
}
