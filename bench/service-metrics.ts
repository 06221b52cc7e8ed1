import { until, type ServiceProcess } from '../test/support/service.js';

/** What a service tells of itself at one moment, as Prometheus reads it. */
export class ServiceMetrics {
  private constructor(private readonly text: string) {}

  static async of(service: ServiceProcess): Promise<ServiceMetrics> {
    return new ServiceMetrics(await (await fetch(`${service.apiUrl}/metrics`)).text());
  }

  /** Longest stall of the serving thread, in seconds: each scrape starts it anew. */
  get stall(): number {
    return this.first(/^nodejs_eventloop_lag_max_seconds ([\d.e-]+)/m);
  }

  isDrained(signal: string): boolean {
    const count = (name: string) => this.first(new RegExp(`^hindsight_records_${name}_total\\{signal="${signal}"\\} (\\d+)`, 'm'));
    return count('projected') >= count('accepted');
  }

  /** Seconds from accepted to committed: upper edge of the histogram's bucket that holds the percentile of all since `earlier`. */
  lag(p: number, earlier?: ServiceMetrics): number {
    const before = earlier?.lagBuckets() ?? new Map<number, number>();
    const since = [...this.lagBuckets()].map(([edge, count]) => [edge, count - (before.get(edge) ?? 0)] as const).sort(([a], [b]) => a - b);
    const all = since.at(-1)?.[1] ?? 0;
    return since.find(([, count]) => count >= (p / 100) * all)?.[0] ?? Number.NaN;
  }

  private lagBuckets(): Map<number, number> {
    const edges = new Map<number, number>();
    for (const [, le, projection, count] of this.text.matchAll(/^hindsight_projection_lag_seconds_bucket\{le="([\d.]+|\+Inf)",projection="(\w+)"\} (\d+)$/gm)) {
      const edge = Number(le.replace('+Inf', 'Infinity'));
      if (projection !== 'access') edges.set(edge, (edges.get(edge) ?? 0) + Number(count));
    }
    return edges;
  }

  private first(pattern: RegExp): number {
    return Number(pattern.exec(this.text)?.[1] ?? Number.NaN);
  }
}

/** Seconds until everything accepted was in the read models. */
export async function drained(service: ServiceProcess, signal: string): Promise<number> {
  const begin = performance.now();
  await until(async () => (await ServiceMetrics.of(service)).isDrained(signal), 'everything accepted is projected', 120_000);
  return (performance.now() - begin) / 1000;
}
