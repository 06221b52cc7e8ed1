import type { Alert } from '../../../diagnostics/diagnostic-results.js';
import type { SeverityLevel, SpanStatus } from '../../../queries/telemetry/telemetry-query-types.js';

/** Which of several occurrences is requested. */
export type Occurrence = 'first' | 'last';

/** A type of resource that can be under pressure. */
export interface ResourceType {
  /** Name used by pressure points. */
  readonly type: string;
  readonly title: string;
}

/** A time in a question, ms since 1970. */
export type TimeReference =
  /** `before` 14:00: the window that ends there; `at` 14:00: a window around it. */
  | { readonly kind: 'moment'; readonly atMs: number; readonly side: 'at' | 'before' }
  /**
   * `last`: the words of the question if the range ends now, such as `10 minutes`. `aroundMs`: the moment of the
   * question, which the range lies around.
   */
  | {
      readonly kind: 'range';
      readonly fromMs: number;
      readonly toMs: number;
      readonly last?: string;
      readonly aroundMs?: number;
    }
  /** Resolved by a lookup of deployments. `lengthMs`: length of the range after it, if stated. */
  | { readonly kind: 'deployment'; readonly side: 'before' | 'since'; readonly lengthMs?: number };

export type TimeInterval = Extract<TimeReference, { kind: 'range' }>;

/**
 * `unended`: not resolved, whether or not it was reopened. `unopen`: not open, which does not say whether it is over.
 */
export type RecordState = 'open' | 'planned' | 'unended' | 'unopen' | 'ended' | 'reopened';

/** The entities and filters of a question, independent of its intent. Plain, stored data. */
export interface Slots {
  /** Exact names of services and dependencies, in the order of the question. */
  readonly services: readonly string[];
  readonly operation?: string;
  readonly time?: TimeReference;
  /**
   * What `time` is compared with. `shiftMs`: the same window, this much earlier; `lengthMs`: a window of this length
   * directly before.
   */
  readonly baseline?:
    | TimeReference
    | { readonly kind: 'earlier'; readonly shiftMs: number }
    | { readonly kind: 'preceding'; readonly lengthMs: number };
  readonly severity?: SeverityLevel;
  readonly alertSeverity?: Alert['severity'];
  /** Any severity but this one. */
  readonly otherAlertSeverity?: Alert['severity'];
  readonly alertStatus?: Alert['status'];
  /** Only alerts that began to fire within the time, not those that were open in it. */
  readonly isFired?: boolean;
  /** Only incidents whose time of this name lies within the range. */
  readonly begunBy?: 'openedAt' | 'startedAt';
  /** Asks how long an alert lasted, which may be over. */
  readonly isLasting?: boolean;
  /** Asks for the worst moment as well. */
  readonly isPeak?: boolean;
  readonly resourceType?: ResourceType;
  /** Only changes that are deployments. */
  readonly isDeployed?: boolean;
  /** Asks who made the change, which telemetry does not contain. */
  readonly isWho?: boolean;
  /** Conditions of the question before that only a query applies, as words. */
  readonly queried?: readonly string[];
  /** States of incidents, silences and error groups, of which each has one. */
  readonly recordStates?: readonly RecordState[];
  /** Only alerts or incidents that somebody has acknowledged, or nobody. */
  readonly isAcknowledged?: boolean;
  /** Of planned silences: they begin later today. */
  readonly isLaterToday?: boolean;
  /** Objectives ranked by how fast their budget is used. */
  readonly isRankedByBurn?: boolean;
  /** Which of the failures, alerts or log entries is requested. */
  readonly edge?: Occurrence;
  /** Asks for both the first and the last. */
  readonly isBothEdges?: boolean;
  /** Exception type as written in the question. */
  readonly exception?: string;
  readonly status?: SpanStatus;
  /** Business entity in the singular, unless a name covers it: `order`, which `PlaceOrder` is about. */
  readonly thing?: string;
  /** The entity is a separate subject beside the services: "failed payments and orders". */
  readonly isBeside?: boolean;
  readonly minDurationMs?: number;
  readonly maxDurationMs?: number;
  /** Maximum number of items requested. */
  readonly limit?: number;
  /** Search text for logs. */
  readonly words?: string;
  /** The words come from a counting question, not from an explicit text search. */
  readonly isCounted?: boolean;
  /** Values that attributes must have, by key. */
  readonly tags?: Readonly<Record<string, string>>;
  /** A version, such as `2.4.0`. */
  readonly version?: string;
  /** Words of the name of an alert rule, or of a resource. */
  readonly namedBy?: readonly string[];
  /** Services and dependencies that are left out: "except payment". */
  readonly excluded?: readonly string[];
  /** Bounds of the error rate in percent, inclusive unless excluded: "above 5 %" excludes 5. */
  readonly minErrorRate?: number;
  readonly maxErrorRate?: number;
  readonly isMinErrorRateExcluded?: boolean;
  readonly isMaxErrorRateExcluded?: boolean;
  readonly traceId?: string;
  readonly spanId?: string;
  /** For dependencies: the callers of the service, or its callees. */
  readonly direction?: 'callers' | 'callees';
  /** A subject that trace searches do not support, such as `order 12345`. */
  readonly subject?: string;
  /** Slow traces, without an explicit duration. */
  readonly isSlow?: boolean;
  /** Sorted by duration, slowest first. */
  readonly isSlowest?: boolean;
  /** The services are all candidates of one word, such as `database`. */
  readonly isEach?: boolean;
  /** Ascending order: lowest first. */
  readonly isReversed?: boolean;
  /** Asks for the reason as well. */
  readonly isWhy?: boolean;
  /** Asks for the status of services as well. */
  readonly isStatusAsked?: boolean;
  /** What a chart should show, such as `memory`; empty if all metrics are requested. */
  readonly chartWords?: readonly string[];
  readonly listOf?: 'charts' | 'metrics';
  /** Term to explain. */
  readonly term?: string;
  /** The measure that the question asks for, if an answer has several. */
  readonly measure?: Measure;
}

export type Measure = 'p50' | 'p95' | 'p99' | 'average' | 'apdex' | 'errorRate' | 'requests' | 'requestRate';
export const EMPTY_SLOTS: Slots = { services: [] };
