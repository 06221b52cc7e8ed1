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
/** Why a whole export request was rejected; one label value each. */
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Signal of a rejected request; `unknown` if its path names no signal, which is always `unsupported`. */
export type RefusedSignal = Signal | 'unknown';

const SIGN_IN_REFUSALS = ['refused', 'token', 'unavailable', 'too-large'] as const;
/**
 * Why a portal sign-in failed. `refused`: by the identity provider, or because we did not start it; `token`: the API
 * does not accept the token; `unavailable`: the provider cannot be reached; `too-large`: its tokens do not fit into
 * cookies.
 */
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];

const CLOSURE_REASONS = [
  'aborted-requests',
  'control-frames',
  'unresponsive',
  'blocked',
  'address-limit',
  'total-limit',
] as const;
/**
 * Why the service closed a connection. `aborted-requests`: too many requests without an answer; `control-frames`: too
 * many bytes that belong to no request; `unresponsive`: no reaction to a ping or to the end of the session; `blocked`:
 * without an accepted export, or one too many that waits, of an address that floods the service; `address-limit` and
 * `total-limit`: too many open connections of one address or of all.
 */
export type ClosureReason = (typeof CLOSURE_REASONS)[number];

/** Current state of one metric in Prometheus terms. */
export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  /** `counter`, `gauge`, `histogram` or `summary`. */
  readonly type: string;
  /** For histograms one value per bucket, sum and count, distinguished by `metricName`. */
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Partial<Record<string, string | number>>>;
    readonly metricName?: string;
  }[];
}

export type AppendOutcome = 'appended' | 'conflict' | 'failed';

/** Outcomes of the received records of a signal: `received` is the sum of `outcomes` and `unaccounted`. */
export interface RecordMeasurement {
  readonly signal: Signal;
  readonly received: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly unaccounted: number;
}

type LabelledValue = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Store in which expired bytes were freed. */
export type FreedStore = 'events' | 'read-models';

/** Buckets from the commit of an idle NVMe disk to a disk that hangs. */
const APPEND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Buckets around the objective of one second. */
const LAG_SECONDS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 5, 10, 30, 60, 300];

/**
 * Prometheus metrics of the service. No label contains a Grid, a key or a user, because `/metrics` is public. Counters
 * of all signals start at 0, so that rates exist from the first scrape.
 */
export class PrometheusMetrics {
  private readonly registry = new Registry();

  private readonly acceptedRecords = this.counter(
    'records_accepted_total',
    'Spans, log records and data points stored durably in the event log.',
    ['signal'],
  );
  private readonly rejectedRecords = this.counter(
    'records_rejected_total',
    'Invalid spans, log records and data points in accepted requests.',
    ['signal'],
  );
  private readonly refusedRequests = this.counter(
    'requests_refused_total',
    'Export requests rejected as a whole; signal unknown: the path names no signal.',
    ['signal', 'reason'],
  );
  private readonly duplicateRequests = this.counter(
    'requests_duplicate_total',
    'Export requests that were received before and not counted again.',
    ['signal'],
  );
  private readonly projectedRecords = this.counter(
    'records_projected_total',
    'Records projected into the read models.',
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
    'Lag of the last commit; by shard (label share) if Grids are sharded.',
    ['projection', 'share'],
  );
  private readonly appends = this.histogram(
    'append_seconds',
    'Time until an append to the event log was durable.',
    ['outcome'],
    APPEND_SECONDS,
  );
  private readonly freedBytes = this.counter('retention_freed_bytes_total', 'Bytes freed by retention.', ['store']);
  private readonly expiredEvents = this.counter(
    'retention_expired_events_total',
    'Events deleted from the event log by retention.',
  );
  private readonly refusedSignIns = this.counter('sign_ins_refused_total', 'Failed sign-ins to the portal.', [
    'reason',
  ]);
  private readonly closedConnections = this.counter(
    'connections_closed_total',
    'Connections closed or refused because of a limit.',
    ['reason'],
  );
  private readonly delayedConnections = this.counter(
    'connections_delayed_total',
    'New connections of addresses that flood the service, which had to wait for their turn.',
  );

  private readDeadLetters = (): number => 0;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.registerGauge('parked_events', 'Dead letters: events that could not be projected.', () =>
      this.readDeadLetters(),
    );
    for (const signal of SIGNALS) {
      for (const metric of [this.acceptedRecords, this.rejectedRecords, this.duplicateRequests, this.projectedRecords])
        metric.inc({ signal }, 0);
      for (const reason of REFUSAL_REASONS) this.refusedRequests.inc({ signal, reason }, 0);
    }
    this.refusedRequests.inc({ signal: 'unknown', reason: 'unsupported' }, 0);
    for (const reason of SIGN_IN_REFUSALS) this.refusedSignIns.inc({ reason }, 0);
    for (const reason of CLOSURE_REASONS) this.closedConnections.inc({ reason }, 0);
    for (const store of ['events', 'read-models'] satisfies FreedStore[]) this.freedBytes.inc({ store }, 0);
  }

  /** Counts a durable request: its accepted and its rejected records. */
  countAccepted(signal: Signal, records: number, rejected: number): void {
    this.acceptedRecords.inc({ signal }, records);
    this.rejectedRecords.inc({ signal }, rejected);
  }

  /** Counts a request that was rejected as a whole. */
  countRefused(signal: RefusedSignal, reason: RefusalReason): void {
    this.refusedRequests.inc({ signal, reason });
  }

  /** Counts a failed portal sign-in. */
  countRefusedSignIn(reason: SignInRefusal): void {
    this.refusedSignIns.inc({ reason });
  }

  /** Counts a connection that was closed or refused because of a limit. */
  countClosedConnection(reason: ClosureReason): void {
    this.closedConnections.inc({ reason });
  }

  /** Counts a new connection that had to wait because its address floods the service. */
  countDelayedConnection(): void {
    this.delayedConnections.inc();
  }

  /** Counts requests that were received before. */
  countDuplicates(signal: Signal, requests: number): void {
    this.duplicateRequests.inc({ signal }, requests);
  }

  countProjected(signal: Signal, records: number): void {
    this.projectedRecords.inc({ signal }, records);
  }

  /**
   * Registers the source of the backlog in records, read at each scrape, so that it is visible even when projections
   * stall. Processes without a projector have no such gauge.
   */
  registerBacklog(read: () => number): void {
    this.registerGauge('backlog_records', 'Durable records that are not projected yet.', read);
  }

  /** Registers the source of the number of dead letters, read at each scrape. */
  registerDeadLetters(read: () => number): void {
    this.readDeadLetters = read;
  }

  /**
   * Registers the source of the certificate expiry (ms since 1970), read at each scrape. Without a certificate there is
   * no such gauge.
   */
  registerCertificateExpiry(readMs: () => number): void {
    this.registerGauge(
      'certificate_expiry_timestamp_seconds',
      'When the certificate of the ports expires, in seconds since 1970.',
      () => readMs() / 1000,
    );
  }

  /** Registers a gauge with one value for each value of `label`, read at each scrape. */
  registerReadings(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
    new Gauge({
      name: `hindsight_${name}`,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [key, value] of Object.entries(read())) this.set({ [label]: key }, value);
      },
    });
  }

  /**
   * Registers the source of the outcomes of received records, read at each scrape; undefined: no values. Processes
   * without a projector have no such gauges.
   */
  registerRecords(read: () => Promise<readonly RecordMeasurement[] | undefined>): void {
    const register = (
      name: string,
      help: string,
      labels: string[],
      toValues: (one: RecordMeasurement) => LabelledValue[],
    ) =>
      new Gauge({
        name: `hindsight_${name}`,
        help,
        labelNames: ['signal', ...labels],
        registers: [this.registry],
        async collect() {
          const measured = (await read()) ?? [];
          this.reset();
          for (const one of measured)
            for (const [more, value] of toValues(one)) this.set({ signal: one.signal, ...more }, value);
        },
      });
    register('records_received', 'Records of the projected requests, rejected ones included.', [], (one) => [
      [{}, one.received],
    ]);
    register('record_outcomes', 'Received records by outcome.', ['outcome'], ({ outcomes }) =>
      Object.entries(outcomes).map(([outcome, count]) => [{ outcome }, count]),
    );
    register(
      'records_unaccounted',
      'Received records without a known outcome: other than 0 is a defect.',
      [],
      ({ unaccounted }) => [[{}, unaccounted]],
    );
  }

  /**
   * Records a projection commit, `seconds` after its oldest event was accepted. `shard` is absent if it projects all
   * Grids.
   */
  recordProjectionLag(projection: string, seconds: number, shard?: number): void {
    this.lag.observe({ projection }, seconds);
    this.latestLag.set({ projection, ...(shard === undefined ? {} : { share: String(shard) }) }, seconds);
  }

  /**
   * Registers the shard gauges: the total number, and the number owned by this process, read at each scrape. Processes
   * that never own shards have no such gauges: the sum over all processes then reveals shards without an owner.
   */
  registerShards(total: number, readOwned: () => number): void {
    this.registerGauge('shares', 'Number of shards of Grids.', () => total);
    this.registerGauge('shares_held', 'Shards owned by this process.', readOwned);
  }

  /** Removes the lag of a shard that another process has taken over. */
  removeShard(projection: string, shard: number): void {
    this.latestLag.remove({ projection, share: String(shard) });
  }

  /** Registers the cluster that the process belongs to. */
  registerCluster(cluster: string): void {
    this.gauge('cluster_info', 'Always 1: the cluster that the process belongs to.', ['cluster']).set({ cluster }, 1);
  }

  /** Registers the source of component health, read at each scrape; the same as `/ready`. */
  registerHealth(readHealth: () => Promise<Readonly<Record<string, Health>>>): void {
    new Gauge({
      name: 'hindsight_component_health',
      help: '1: healthy; 0.5: degraded; 0: unhealthy. /ready contains the reason.',
      labelNames: ['component'],
      registers: [this.registry],
      async collect() {
        const checks = Object.entries(await readHealth());
        this.reset();
        for (const [component, health] of checks)
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

  /** Returns all metrics as plain data. */
  async readSnapshot(): Promise<readonly MetricSnapshot[]> {
    return (await this.registry.getMetricsAsJSON()).map((metric) => ({ ...metric, type: String(metric.type) }));
  }

  /** Renders all metrics in the Prometheus text format. */
  toPrometheusText(): Promise<string> {
    return this.registry.metrics();
  }

  private counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name: `hindsight_${name}`, help, labelNames, registers: [this.registry] });
  }

  private gauge<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
    return new Gauge({ name: `hindsight_${name}`, help, labelNames, registers: [this.registry] });
  }

  /** Registers a gauge whose value is read at each scrape. */
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
