import type { SpanColumns } from '../../../telemetry/span-columns.js';
import { PairNumbers } from './pair-numbers.js';
import type { InstanceSightings } from './service-tally.js';

/** What versions and instances did in a portion, counted by the resources that name them, and by minute. */
export class SpanSightings {
  /** Resources and minutes. */
  readonly groups = new PairNumbers();
  /** Of each group. */
  readonly services: number[] = [];
  readonly counts: { -readonly [K in keyof InstanceSightings]: InstanceSightings[K] }[] = [];

  constructor(private readonly columns: Pick<SpanColumns, 'resource' | 'resourceVersions' | 'resourceInstances' | 'strings'>) {}

  /** A span that ended at `endUs`; `service` is the number of the service that it counts for. */
  add(row: number, service: number, minute: number, endUs: number, durationNs: number, isEntry: boolean, isError: boolean): void {
    const group = this.groups.of(this.columns.resource[row], minute);
    const counts = (this.counts[group] ??= this.begin(service));
    counts.spans++;
    if (endUs < counts.firstUs) counts.firstUs = endUs;
    if (endUs > counts.lastUs) counts.lastUs = endUs;
    if (!isEntry) return;
    counts.requests++;
    counts.durationNs += durationNs;
    if (isError) counts.errors++;
  }

  /** "" where the resource does not tell; so below. */
  version(group: number): string {
    const { resourceVersions, strings } = this.columns;
    return strings.text(resourceVersions[this.groups.firsts[group]]);
  }

  instance(group: number): string {
    const { resourceInstances, strings } = this.columns;
    return strings.text(resourceInstances[this.groups.firsts[group]]);
  }

  private begin(service: number): InstanceSightings {
    this.services.push(service);
    return { spans: 0, requests: 0, errors: 0, durationNs: 0, firstUs: Infinity, lastUs: -Infinity };
  }
}
