import { compareText } from '../text-order.js';
import type { ErrorGroupKey } from './error-group-key.js';
import type { ExceptionOccurrence } from './exception-occurrence.js';

export const ERROR_GROUP_BOUNDS = {
  /** Groups that are kept; exceptions of further ones are counted together. */
  groups: 10_000,
  /** Versions and services that a group counts one by one. */
  names: 30,
  sampleTraces: 5,
} as const;

/** Versions and services beyond ERROR_GROUP_BOUNDS.names. */
export const OTHER_NAMES = '__other__';

export interface NameCount {
  /** Empty: the resources do not tell. */
  readonly name: string;
  readonly count: number;
}

export interface SampleTrace {
  readonly traceId: string;
  /** The newest exception of the group in the trace, µs since 1970. */
  readonly timeUs: number;
}

/** Exceptions of the same type, message pattern and top frames. */
export interface ErrorGroup extends ErrorGroupKey {
  /** Exact. */
  readonly count: number;
  readonly firstSeenUs: number;
  readonly lastSeenUs: number;
  /** Of the first exception. */
  readonly firstVersion: string;
  /** The largest count first; exact, but for `__other__`. */
  readonly versions: readonly NameCount[];
  readonly services: readonly NameCount[];
  /** The newest first. */
  readonly sampleTraces: readonly SampleTrace[];
}

/** Receives bytes that are taken from now on, about. */
export type ChargeBytes = (bytes: number) => void;

/** A group without names, with its maps, samples and the list that it becomes. */
const GROUP_BYTES = 2_000;
/** A counted name, beside its characters: an entry of a map and one of a list. */
const NAME_BYTES = 150;
const BYTES_PER_CHARACTER = 2;

/** Counts the exceptions of one group. */
export class ErrorGroupCounts {
  private count = 0;
  private first = { timeUs: Infinity, version: '' };
  private lastSeenUs = -Infinity;
  private readonly versions = new Map<string, number>();
  private readonly services = new Map<string, number>();
  /** Time of the newest exception by trace. */
  private samples = new Map<string, number>();

  constructor(
    readonly key: ErrorGroupKey,
    private readonly charge: ChargeBytes = () => undefined,
  ) {
    const texts = [key.groupId, key.type, key.messagePattern, ...key.topFrames];
    charge(GROUP_BYTES + texts.reduce((sum, { length }) => sum + length * BYTES_PER_CHARACTER, 0));
  }

  add({ timeUs, version, service, traceId }: ExceptionOccurrence): void {
    this.count++;
    this.noteFirst(timeUs, version);
    this.lastSeenUs = Math.max(this.lastSeenUs, timeUs);
    this.countName(this.versions, version, 1);
    this.countName(this.services, service, 1);
    if (traceId !== '') this.addSample(traceId, timeUs);
  }

  merge(other: ErrorGroupCounts): void {
    this.count += other.count;
    this.noteFirst(other.first.timeUs, other.first.version);
    this.lastSeenUs = Math.max(this.lastSeenUs, other.lastSeenUs);
    for (const [version, count] of other.versions) this.countName(this.versions, version, count);
    for (const [service, count] of other.services) this.countName(this.services, service, count);
    for (const [traceId, timeUs] of other.samples) this.addSample(traceId, timeUs);
  }

  toGroup(): ErrorGroup {
    return {
      ...this.key,
      count: this.count,
      firstSeenUs: this.first.timeUs,
      lastSeenUs: this.lastSeenUs,
      firstVersion: this.first.version,
      versions: listCounts(this.versions),
      services: listCounts(this.services),
      sampleTraces: this.listSamples(),
    };
  }

  private noteFirst(timeUs: number, version: string): void {
    const { first } = this;
    // Of exceptions at the same time the one with the smaller version counts as the first, in whatever order they come.
    if (timeUs > first.timeUs || (timeUs === first.timeUs && compareText(version, first.version) >= 0)) return;
    this.first = { timeUs, version };
  }

  private countName(counts: Map<string, number>, name: string, count: number): void {
    const isFull = !counts.has(name) && counts.size >= ERROR_GROUP_BOUNDS.names;
    const key = isFull ? OTHER_NAMES : name;
    const before = counts.get(key);
    if (before === undefined) this.charge(NAME_BYTES + key.length * BYTES_PER_CHARACTER);
    counts.set(key, (before ?? 0) + count);
  }

  private addSample(traceId: string, timeUs: number): void {
    this.samples.set(traceId, Math.max(timeUs, this.samples.get(traceId) ?? -Infinity));
    if (this.samples.size <= ERROR_GROUP_BOUNDS.sampleTraces) return;
    this.samples = new Map(this.listSamples().map((sample) => [sample.traceId, sample.timeUs]));
  }

  private listSamples(): SampleTrace[] {
    return [...this.samples]
      .map(([traceId, timeUs]) => ({ traceId, timeUs }))
      .sort((a, b) => b.timeUs - a.timeUs || compareText(a.traceId, b.traceId))
      .slice(0, ERROR_GROUP_BOUNDS.sampleTraces);
  }
}

function listCounts(counts: ReadonlyMap<string, number>): NameCount[] {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || compareText(a.name, b.name));
}
