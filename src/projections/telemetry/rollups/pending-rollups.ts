import type { PointOutcome } from './grid-metric-series.js';
import type { MetricPoint } from './metric-point.js';
import type { MetricRollupAccumulator } from './metric-rollup-accumulator.js';
import type { RollupBuffer, RollupKey } from './rollup-buffer.js';

export type CountedPoint = Exclude<PointOutcome, { kind: 'duplicate' | 'without-value' }>;

/** Points of a batch for one rollup. */
interface PendingRollup extends RollupKey {
  readonly points: (readonly [point: MetricPoint, taken: CountedPoint])[];
}

/** Points that are collected before they are added to their rollups; each takes 200 bytes and more. */
const MAX_POINTS = 8_192;

/**
 * Collects points of one Grid by rollup, so that a rollup is opened once for many of them. Which points are added
 * together makes no difference: each rollup receives them in the order in which they come.
 */
export class PendingRollups {
  private readonly rollups = new Map<string, PendingRollup>();
  private count = 0;

  /** `onWritten` is called with the number of points that were added to a rollup of this minute. */
  constructor(
    private readonly buffer: RollupBuffer<MetricRollupAccumulator>,
    private readonly gridId: string,
    private readonly onWritten: (minute: number, points: number) => void = () => undefined,
    private readonly maxPoints = MAX_POINTS,
  ) {}

  add({ minute, service }: RollupKey, point: MetricPoint, outcome: CountedPoint): void {
    const key = `${minute}/${service}`;
    const rollup = this.rollups.get(key);
    if (rollup === undefined) this.rollups.set(key, { minute, service, points: [[point, outcome]] });
    else rollup.points.push([point, outcome]);
    this.count++;
  }

  /** True when the points should be written before further ones are added. */
  get isFull(): boolean {
    return this.count >= this.maxPoints;
  }

  /** Adds all collected points to their rollups. */
  async write(): Promise<void> {
    const pending = [...this.rollups.values()];
    this.rollups.clear();
    this.count = 0;
    const accumulators = await this.buffer.openAll(this.gridId, pending);
    pending.forEach(({ minute, points }, i) => {
      for (const [point, outcome] of points) addToAccumulator(accumulators[i], point, outcome);
      this.onWritten(minute, points.length);
    });
  }
}

function addToAccumulator(target: MetricRollupAccumulator, point: MetricPoint, outcome: CountedPoint): void {
  if (outcome.kind === 'overflow') target.addOther(outcome.metric, point);
  else target.add(point, outcome.contribution);
}
