import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Health } from '../component.js';
import { SIGNALS, type Signal } from '../telemetry/signals.js';

const REFUSAL_REASONS = [
  'unauthenticated',
  'forbidden',
  'malformed',
  'too-large',
  'unsupported',
  'overloaded',
  'throttled',
  'unavailable',
] as const;
/** Why a whole export request was turned away, in the few words that a chart has room for. */
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** What a refused request was to carry; `unknown` where its path names no signal, which is always `unsupported`. */
export type RefusedSignal = Signal | 'unknown';

const SIGN_IN_REFUSALS = ['refused', 'token', 'unavailable', 'too-large'] as const;
/**
 * Why somebody was not signed in to the portal: `refused` by the identity provider or by us, who began no such sign-in; `token`: signed in, with one that the
 * API does not take; `unavailable`: the provider cannot be asked; `too-large`: its tokens fit into no cookies.
 */
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];

/** One metric as it stands, in the words of Prometheus. */
export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  /** `counter`, `gauge`, `histogram` or `summary`. */
  readonly type: string;
  /** Of histograms, one for each bucket, sum and count, told apart by `metricName`. */
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Partial<Record<string, string | number>>>;
    readonly metricName?: string;
  }[];
}

export type AppendOutcome = 'appended' | 'conflict' | 'failed';

/** Where expired bytes were freed. */
export type FreedStore = 'events' | 'read-models';

/** From an idle NVMe disk's commit to a disk that is stuck. */
const APPEND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The promise is one second. */
const LAG_SECONDS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 5, 10, 30, 60, 300];

/**
 * What the service tells Prometheus of itself. No label names a Grid, a key or a user: `/metrics` is open.
 * Counters of every signal start at 0, so that a rate is there from the first scrape.
 */
export class PrometheusMetrics {
  private readonly registry = new Registry();

  private readonly acceptedRecords = this.counter(
    'records_accepted_total',
    'Spans, log records and data points that are durable in the log.',
    ['signal'],
  );
  private readonly rejectedRecords = this.counter(
    'records_rejected_total',
    'Spans, log records and data points of accepted requests that can never be taken.',
    ['signal'],
  );
  private readonly refusedRequests = this.counter(
    'requests_refused_total',
    'Export requests that were refused whole; signal unknown: at a path that takes none.',
    ['signal', 'reason'],
  );
  private readonly duplicateRequests = this.counter(
    'requests_duplicate_total',
    'Export requests that had arrived before and were not counted again.',
    ['signal'],
  );
  private readonly projectedRecords = this.counter(
    'records_projected_total',
    'Records of which the read models know.',
    ['signal'],
  );
  private readonly lag = this.histogram(
    'projection_lag_seconds',
    'Time from acceptance to the commit of the read models.',
    ['projection'],
    LAG_SECONDS,
  );
  private readonly latestLag = this.gauge(
    'projection_latest_lag_seconds',
    'Lag of the last commit; by share, where the Grids are shared out.',
    ['projection', 'share'],
  );
  private readonly appends = this.histogram(
    'append_seconds',
    'Time that an append to the log took until it was durable.',
    ['outcome'],
    APPEND_SECONDS,
  );
  private readonly freedBytes = this.counter('retention_freed_bytes_total', 'Bytes that retention gave back.', [
    'store',
  ]);
  private readonly expiredEvents = this.counter(
    'retention_expired_events_total',
    'Events that retention removed from the log.',
  );
  private readonly refusedSignIns = this.counter(
    'sign_ins_refused_total',
    'People who could not be signed in to the portal.',
    ['reason'],
  );

  private readParked = (): number => 0;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.registerGauge('parked_events', 'Events that could not be projected and were set aside.', () =>
      this.readParked(),
    );
    for (const signal of SIGNALS) {
      for (const metric of [this.acceptedRecords, this.rejectedRecords, this.duplicateRequests, this.projectedRecords])
        metric.inc({ signal }, 0);
      for (const reason of REFUSAL_REASONS) this.refusedRequests.inc({ signal, reason }, 0);
    }
    this.refusedRequests.inc({ signal: 'unknown', reason: 'unsupported' }, 0);
    for (const reason of SIGN_IN_REFUSALS) this.refusedSignIns.inc({ reason }, 0);
    for (const store of ['events', 'read-models'] satisfies FreedStore[]) this.freedBytes.inc({ store }, 0);
  }

  /** One request became durable: how many of its records were taken, and how many were rejected by name. */
  countAccepted(signal: Signal, records: number, rejected: number): void {
    this.acceptedRecords.inc({ signal }, records);
    this.rejectedRecords.inc({ signal }, rejected);
  }

  /** One request was turned away whole. */
  countRefused(signal: RefusedSignal, reason: RefusalReason): void {
    this.refusedRequests.inc({ signal, reason });
  }

  /** Somebody was not signed in to the portal. */
  countRefusedSignIn(reason: SignInRefusal): void {
    this.refusedSignIns.inc({ reason });
  }

  /** This many requests turned out to be repetitions. */
  countDuplicates(signal: Signal, requests: number): void {
    this.duplicateRequests.inc({ signal }, requests);
  }

  countProjected(signal: Signal, records: number): void {
    this.projectedRecords.inc({ signal }, records);
  }

  /** Where to read the backlog, in records, at each scrape: a backlog that grows tells nobody, least of all when all else stands.
   * Without a projector in the process there is no such gauge. */
  registerBacklog(read: () => number): void {
    this.registerGauge('backlog_records', 'Records that are durable and not yet projected.', read);
  }

  /** Where to read, at each scrape, how many events are set aside. */
  registerDeadLetters(read: () => number): void {
    this.readParked = read;
  }

  /** Where to read, at each scrape, when the certificate of the ports ends (ms since 1970). Without a certificate there is no such gauge. */
  registerCertificateExpiry(readMs: () => number): void {
    this.registerGauge(
      'certificate_expiry_timestamp_seconds',
      'When the certificate of the ports expires, in seconds since 1970.',
      () => readMs() / 1000,
    );
  }

  /** One commit of a projection, `seconds` after its oldest event was accepted. `share`: of which Grids it was; absent: of all. */
  recordProjectionLag(projection: string, seconds: number, share?: number): void {
    this.lag.observe({ projection }, seconds);
    this.latestLag.set({ projection, ...(share === undefined ? {} : { share: String(share) }) }, seconds);
  }

  /**
   * Where to read, at each scrape, how many of all shares of the Grids this process keeps. A process that keeps none by its role has no such gauges: added up
   * over all processes they tell of a share that nobody keeps.
   */
  registerShards(all: number, readHeld: () => number): void {
    this.registerGauge('shares', 'Into how many shares the Grids are divided.', () => all);
    this.registerGauge('shares_held', 'Shares whose read models this process keeps current.', readHeld);
  }

  /** Another process has the share: what its last commit here was like says nothing any more. */
  forgetShard(projection: string, share: number): void {
    this.latestLag.remove({ projection, share: String(share) });
  }

  /** Which installation the process belongs to. */
  registerCluster(cluster: string): void {
    this.gauge('cluster_info', 'Always 1: the cluster that the process belongs to.', ['cluster']).set({ cluster }, 1);
  }

  /** Where to ask, at each scrape, how the components are, as at `/ready`. */
  registerHealth(ask: () => Promise<Readonly<Record<string, Health>>>): void {
    new Gauge({
      name: 'hindsight_component_health',
      help: '1: works; 0.5: works, and an operator should look at it; 0: does not work. /ready says why.',
      labelNames: ['component'],
      registers: [this.registry],
      async collect() {
        const found = Object.entries(await ask());
        this.reset();
        for (const [component, health] of found)
          this.set({ component }, !health.ok ? 0 : health.degraded === undefined ? 1 : 0.5);
      },
    });
  }

  recordAppend(seconds: number, outcome: AppendOutcome): void {
    this.appends.observe({ outcome }, seconds);
  }

  countFreedBytes(store: FreedStore, bytes: number): void {
    this.freedBytes.inc({ store }, bytes);
  }

  countExpiredEvents(events: number): void {
    this.expiredEvents.inc(events);
  }

  /** Everything as plain data. */
  async snapshot(): Promise<readonly MetricSnapshot[]> {
    return (await this.registry.getMetricsAsJSON()).map((metric) => ({ ...metric, type: String(metric.type) }));
  }

  /** Everything in the Prometheus text format. */
  toPrometheusText(): Promise<string> {
    return this.registry.metrics();
  }

  private counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name: `hindsight_${name}`, help, labelNames, registers: [this.registry] });
  }

  private gauge<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
    return new Gauge({ name: `hindsight_${name}`, help, labelNames, registers: [this.registry] });
  }

  /** A gauge that is read when it is asked for. */
  private registerGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name: `hindsight_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  private histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[],
  ): Histogram<L> {
    return new Histogram({ name: `hindsight_${name}`, help, labelNames, buckets, registers: [this.registry] });
  }
}
