import { readFile } from 'node:fs/promises';
import { waitUntil } from '../test/support/wait-until.js';

/** A process of a service. */
interface ScrapeTarget {
  readonly apiUrl: string;
}

/** Metrics of the processes of a service at one time, from `/metrics`. */
export class ServiceMetrics {
  private constructor(private readonly text: string) {}

  static async scrape(...processes: readonly ScrapeTarget[]): Promise<ServiceMetrics> {
    const texts = await Promise.all(processes.map(async ({ apiUrl }) => (await fetch(`${apiUrl}/metrics`)).text()));
    return new ServiceMetrics(texts.join('\n'));
  }

  /** Longest event loop stall of the first process in seconds; each scrape resets it. */
  get stall(): number {
    return this.readFirst(/^nodejs_eventloop_lag_max_seconds ([\d.e-]+)/m);
  }

  isDrained(signal: string): boolean {
    const count = (name: string): number => {
      const samples = this.text.matchAll(
        new RegExp(`^hindsight_records_${name}_total\\{signal="${signal}"\\} (\\d+)`, 'gm'),
      );
      return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
    };
    return count('projected') >= count('accepted');
  }

  /**
   * Seconds from acceptance to commit: upper bound of the histogram bucket with the percentile of all records since
   * `earlier`.
   */
  lagPercentile(p: number, earlier?: ServiceMetrics): number {
    const before = earlier?.lagBuckets() ?? new Map<number, number>();
    const since = [...this.lagBuckets()]
      .map(([edge, count]) => [edge, count - (before.get(edge) ?? 0)] as const)
      .sort(([a], [b]) => a - b);
    const all = since.at(-1)?.[1] ?? 0;
    return since.find(([, count]) => count >= (p / 100) * all)?.[0] ?? Number.NaN;
  }

  private lagBuckets(): Map<number, number> {
    const edges = new Map<number, number>();
    for (const [, le, projection, count] of this.text.matchAll(
      /^hindsight_projection_lag_seconds_bucket\{le="([\d.]+|\+Inf)",projection="(\w+)"\} (\d+)$/gm,
    )) {
      const edge = Number(le.replace('+Inf', 'Infinity'));
      if (projection !== 'access') edges.set(edge, (edges.get(edge) ?? 0) + Number(count));
    }
    return edges;
  }

  private readFirst(pattern: RegExp): number {
    return Number(pattern.exec(this.text)?.[1] ?? Number.NaN);
  }
}

/** Seconds until all accepted records were projected. */
export async function measureDrainSeconds(
  service: ScrapeTarget | readonly ScrapeTarget[],
  signal: string,
): Promise<number> {
  const begin = performance.now();
  const processes = [service].flat();
  await waitUntil(
    async () => (await ServiceMetrics.scrape(...processes)).isDrained(signal),
    'everything accepted is projected',
    120_000,
  );
  return (performance.now() - begin) / 1000;
}

/** Linux counts process times in ticks of this length, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100;

/** User and system time of all threads of a process since its start, in seconds (`/proc/<pid>/stat`, fields 14 and 15). */
export async function readProcessCpuSeconds(pid: number): Promise<number> {
  return parseCpuSeconds(await readFile(`/proc/${pid}/stat`, 'utf8'));
}

/** User and system time in seconds from the `stat` file of a process or thread. */
export function parseCpuSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before may contain spaces
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Bytes that a process has caused to be written to its disk since its start (`/proc/<pid>/io`). */
export async function readProcessWrittenBytes(pid: number): Promise<number> {
  const io = await readFile(`/proc/${pid}/io`, 'utf8');
  return Number(/^write_bytes: (\d+)$/m.exec(io)?.[1] ?? Number.NaN);
}
