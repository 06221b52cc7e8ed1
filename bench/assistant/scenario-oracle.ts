import { MINUTE_MS, type TimeWindow } from '../../src/diagnostics/time-windows.js';
import type { Scenario } from './scenario/scenario.js';
import { SPAN_KIND, type PlainLog, type PlainSpan } from './scenario/plain-telemetry-types.js';
import { UsageOracle } from './usage-oracle.js';

/** Metrics over the entry spans of a service, unrounded. */
export interface Figures {
  readonly requests: number;
  readonly failed: number;
  /** Percent. */
  readonly errorRate: number;
  /** All values in ms. */
  readonly avg: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly apdex: number;
}

const APDEX_MS = 500;

/** Ground truth of a scenario, computed from its plain lists without any code of the program. */
export class ScenarioOracle {
  readonly usage: UsageOracle;

  constructor(readonly scenario: Scenario) {
    this.usage = new UsageOracle(scenario);
  }

  get story() {
    return this.scenario.story;
  }

  /** The minutes before the time of the questions. */
  last(minutes: number, agoMinutes = 0): TimeWindow {
    const toMs = this.story.nowMs - agoMinutes * MINUTE_MS;
    return { fromMs: toMs - minutes * MINUTE_MS, toMs };
  }

  /** `HH:MM` of the day of the questions, or of days before. */
  clock(time: string, daysAgo = 0): number {
    const [hours, minutes] = time.split(':').map(Number);
    return new Date(this.story.nowMs).setUTCHours(hours, minutes, 0, 0) - daysAgo * 24 * 60 * MINUTE_MS;
  }

  between(from: string, to: string, daysAgo = 0): TimeWindow {
    return { fromMs: this.clock(from, daysAgo), toMs: this.clock(to, daysAgo) };
  }

  /**
   * Optionally of one service and one operation. Contract §5: requests are entry spans, counted in the minute of their
   * end.
   */
  figures(service: string | undefined, window: TimeWindow = this.last(15), operation?: string): Figures {
    const entries = this.scenario.spans.filter(
      (span) =>
        isEntry(span) &&
        (service === undefined || span.service === service) &&
        (operation === undefined || span.operation === operation) &&
        contains(window, span.endUs),
    );
    return computeFigures(entries);
  }

  /** Calls from one service to another service or an uninstrumented dependency, as seen by the caller. */
  calls(source: string, target: string, window: TimeWindow = this.last(15)): Figures {
    const { spans } = this.scenario;
    const answering = new Set(
      spans
        .filter(({ service, parentSpanId }) => service === target && parentSpanId !== '')
        .map(({ parentSpanId }) => parentSpanId),
    );
    const isCall = (span: PlainSpan): boolean =>
      span.kind === SPAN_KIND.client && (answering.has(span.spanId) || Object.values(span.attributes).includes(target));
    return computeFigures(
      spans.filter((span) => span.service === source && isCall(span) && contains(window, span.endUs)),
    );
  }

  /** Number of exceptions by type. */
  exceptions(service: string | undefined, window: TimeWindow = this.last(15)): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { service: of, exception, endUs } of this.scenario.spans) {
      if (exception !== undefined && (service === undefined || of === service) && contains(window, endUs))
        counts.set(exception.type, (counts.get(exception.type) ?? 0) + 1);
    }
    return counts;
  }

  /** Traces with a span of the service that meets the condition and started within the window. */
  traces(service: string | undefined, window: TimeWindow, meets: (span: PlainSpan) => boolean): number {
    const matches = this.scenario.spans.filter(
      (span) => (service === undefined || span.service === service) && contains(window, span.startUs) && meets(span),
    );
    return new Set(matches.map(({ traceId }) => traceId)).size;
  }

  /** Failed spans, ordered by end. */
  failed(service: string | undefined, window: TimeWindow): PlainSpan[] {
    const matches = this.scenario.spans.filter(
      (span) => span.failed && (service === undefined || span.service === service) && contains(window, span.endUs),
    );
    return matches.sort((a, b) => a.endUs - b.endUs);
  }

  failedTraces(service: string | undefined, window: TimeWindow): number {
    return this.traces(service, window, ({ failed }) => failed);
  }

  logs(service: string | undefined, window: TimeWindow, meets: (log: PlainLog) => boolean = () => true): number {
    return this.scenario.logs.filter(
      (log) => (service === undefined || log.service === service) && contains(window, log.atUs) && meets(log),
    ).length;
  }

  errorLogs(service: string | undefined, window: TimeWindow): number {
    return this.logs(service, window, ({ severity }) => severity >= 17 && severity <= 20);
  }

  /** Alerts that fire at the time of the questions. */
  firing(service?: string) {
    return this.scenario.alerts.filter(
      (alert) => alert.resolvedMs === undefined && (service === undefined || alert.service === service),
    );
  }
}

function isEntry({ kind, parentSpanId }: PlainSpan): boolean {
  return kind === SPAN_KIND.server || kind === SPAN_KIND.consumer || parentSpanId === '';
}

function contains({ fromMs, toMs }: TimeWindow, us: number): boolean {
  return us >= fromMs * 1000 && us < toMs * 1000;
}

function computeFigures(spans: readonly PlainSpan[]): Figures {
  const durations = spans.map(({ startUs, endUs }) => (endUs - startUs) / 1000).sort((a, b) => a - b);
  const requests = spans.length;
  const failed = spans.filter((span) => span.failed).length;
  const rank = (p: number): number => durations[Math.max(0, Math.ceil(p * requests) - 1)] ?? 0;
  const served = spans.filter((span) => !span.failed).map(({ startUs, endUs }) => (endUs - startUs) / 1000);
  const satisfied = served.filter((ms) => ms <= APDEX_MS).length;
  const tolerating = served.filter((ms) => ms > APDEX_MS && ms <= 4 * APDEX_MS).length;
  return {
    requests,
    failed,
    errorRate: requests === 0 ? 0 : (100 * failed) / requests,
    avg: requests === 0 ? 0 : durations.reduce((sum, ms) => sum + ms, 0) / requests,
    p50: rank(0.5),
    p95: rank(0.95),
    p99: rank(0.99),
    apdex: requests === 0 ? 1 : (satisfied + tolerating / 2) / requests,
  };
}
