import { writeLog } from './generator/logs.js';
import { writeMetric } from './generator/metrics.js';
import { OtlpWriter } from './generator/otlp-writer.js';
import { Random } from './generator/random.js';
import { namePods, PODS_PER_SERVICE, resourceOf, SERVICES } from './generator/shop.js';
import { growTrace, writeSpan, type GeneratedSpan } from './generator/spans.js';

export interface TelemetryGeneratorOptions {
  /** Start of the generated time line (ns since 1970). Default: 2025-10-09. */
  readonly startNs?: bigint;
  /** Records per second of event time. */
  readonly perSecond?: number;
}

/**
 * Seeded OTLP export requests (protobuf, uncompressed) of a simulated shop. Calls continue one time line and never repeat
 * an id. Generates about 100,000 spans per second and core, so generate requests before measuring.
 */
export interface TelemetryGenerator {
  /** Exactly `count` spans of several traces and resources; a trace may continue in the next request. */
  traces(spans: number): Buffer;
  logs(records: number): Buffer;
  /** Metrics with one data point each. */
  metrics(points: number): Buffer;
  /** Current time of the time line (ns since 1970). */
  readonly nowNs: bigint;
}

const DEFAULT_START_NS = 1_760_000_000_000_000_000n;
const DEFAULT_PER_SECOND = 50_000;

export function createTelemetryGenerator(seed: number, options: TelemetryGeneratorOptions = {}): TelemetryGenerator {
  return new ShopGenerator(seed, options.startNs ?? DEFAULT_START_NS, options.perSecond ?? DEFAULT_PER_SECOND);
}

class ShopGenerator implements TelemetryGenerator {
  private readonly random: Random;
  private readonly writer = new OtlpWriter();
  private readonly pods: string[][];
  private readonly stepUs: number;
  private nowUs: number;
  private backlog: GeneratedSpan[] = [];

  constructor(seed: number, startNs: bigint, perSecond: number) {
    this.random = new Random(seed);
    this.pods = namePods(this.random);
    this.nowUs = Number(startNs / 1000n);
    this.stepUs = 1e6 / perSecond;
  }

  get nowNs(): bigint {
    return BigInt(Math.floor(this.nowUs)) * 1000n;
  }

  traces(spans: number): Buffer {
    while (this.backlog.length < spans) this.growBacklog();
    const taken = this.backlog.slice(0, spans);
    this.backlog = this.backlog.slice(spans);
    for (const [place, group] of byPod(taken)) {
      this.resourceItems(place, () => group.forEach((span) => writeSpan(this.writer, span, this.random)));
    }
    return this.take();
  }

  logs(records: number): Buffer {
    for (const [place, count] of this.spread(records)) {
      this.resourceItems(place, () => {
        for (let n = 0; n < count; n++) writeLog(this.writer, this.tick(), this.random);
      });
    }
    return this.take();
  }

  metrics(points: number): Buffer {
    for (const [place, count] of this.spread(points)) {
      this.resourceItems(place, () => {
        for (let n = 0; n < count; n++) writeMetric(this.writer, BigInt(this.tick()) * 1000n, this.random);
      });
    }
    return this.take();
  }

  private growBacklog(): void {
    const trace = growTrace(this.random, Math.floor(this.nowUs));
    this.nowUs += trace.length * this.stepUs;
    this.backlog.push(...trace);
  }

  /** Random pods with their number of records. */
  private spread(records: number): Map<number, number> {
    const counts = new Map<number, number>();
    for (let left = records; left > 0;) {
      const place = this.random.below(SERVICES.length * PODS_PER_SERVICE);
      const count = Math.min(left, 1 + this.random.below(40));
      counts.set(place, (counts.get(place) ?? 0) + count);
      left -= count;
    }
    return counts;
  }

  private resourceItems(place: number, records: () => void): void {
    const service = Math.floor(place / PODS_PER_SERVICE);
    this.writer.resourceItems(resourceOf(service, this.pods[service][place % PODS_PER_SERVICE]), records);
  }

  private tick(): number {
    this.nowUs += this.stepUs;
    return Math.floor(this.nowUs);
  }

  private take(): Buffer {
    const request = this.writer.finish();
    this.writer.clear();
    return request;
  }
}

function byPod(spans: readonly GeneratedSpan[]): Map<number, GeneratedSpan[]> {
  const groups = new Map<number, GeneratedSpan[]>();
  for (const span of spans) {
    const place = span.service * PODS_PER_SERVICE + span.pod;
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [span]);
    else group.push(span);
  }
  return groups;
}
