import type { Alert } from '../../../diagnostics/diagnostic-results.js';
import type { SeverityLevel, SpanStatus } from '../../../queries/telemetry/telemetry-query-types.js';
import type { Occurrence, ResourceType } from './filter-extractors.js';

/** A time that somebody spoke of, ms since 1970. */
export type TimeReference =
  /** `before` 14:00, or `at` it: the window that ends there, or one around it. */
  | { readonly kind: 'moment'; readonly atMs: number; readonly side: 'at' | 'before' }
  /** `last` in the words of the question, such as `10 minutes`, where it ends now. */
  | { readonly kind: 'range'; readonly fromMs: number; readonly toMs: number; readonly last?: string }
  /** Known once somebody has looked when it was. `lengthMs`: how long after it, where that was said. */
  | { readonly kind: 'deployment'; readonly side: 'before' | 'since'; readonly lengthMs?: number };

export type TimeInterval = Extract<TimeReference, { kind: 'range' }>;

/** What a question speaks of, apart from what it wants to know. Plain data. */
export interface Slots {
  /** Exact names of services and of what they depend on, in the order of the question. */
  readonly services: readonly string[];
  readonly operation?: string;
  readonly time?: TimeReference;
  /** What `time` is compared with; `shiftMs`: the same window so much earlier; `lengthMs`: what lies before it. */
  readonly baseline?:
    | TimeReference
    | { readonly kind: 'earlier'; readonly shiftMs: number }
    | { readonly kind: 'preceding'; readonly lengthMs: number };
  readonly severity?: SeverityLevel;
  readonly alertSeverity?: Alert['severity'];
  readonly alertStatus?: Alert['status'];
  /** How long an alert lasted, which may be over. */
  readonly isLasting?: boolean;
  /** The worst moment of a time, too. */
  readonly isPeak?: boolean;
  readonly resourceType?: ResourceType;
  /** Deployments alone, of all changes. */
  readonly isDeployed?: boolean;
  /** Who did it, which telemetry does not tell. */
  readonly isWho?: boolean;
  /** Of failures, alerts or log entries the one that is meant. */
  readonly edge?: Occurrence;
  /** The first of them and the last. */
  readonly isBothEdges?: boolean;
  /** Type of an exception, as it was said. */
  readonly exception?: string;
  readonly status?: SpanStatus;
  /** What requests are about, in the singular, where no name says it whole: `order`, which `PlaceOrder` is about. */
  readonly thing?: string;
  /** The thing is asked about beside the services, not within them: "failed payments and orders". */
  readonly isBeside?: boolean;
  readonly minDurationMs?: number;
  readonly maxDurationMs?: number;
  /** How many items somebody wants to see. */
  readonly limit?: number;
  /** What logs should contain. */
  readonly words?: string;
  /** The words are those of a question that counts, not a text that somebody looks for. */
  readonly isCounted?: boolean;
  readonly traceId?: string;
  readonly spanId?: string;
  /** Of dependencies: who is called by the service, or who calls it. */
  readonly direction?: 'callers' | 'callees';
  /** Whom or what traces should be about that no search of them takes, such as `order 12345`. */
  readonly subject?: string;
  /** Traces that are slow, without a figure. */
  readonly isSlow?: boolean;
  /** Those of them that took longest come first. */
  readonly isSlowest?: boolean;
  /** The services are all that one word may mean, such as `database`. */
  readonly isEach?: boolean;
  /** The least come first. */
  readonly isReversed?: boolean;
  /** Beside what is so, why it is. */
  readonly isWhy?: boolean;
  /** What a chart should show, such as `memory`; none where metrics themselves are asked for. */
  readonly chartWords?: readonly string[];
  readonly listOf?: 'charts' | 'metrics';
  /** What somebody wants explained. */
  readonly term?: string;
  /** The measure that matters to whoever asks, where an answer has several. */
  readonly measure?: Measure;
}

export type Measure = 'p50' | 'p95' | 'p99' | 'average' | 'apdex' | 'errorRate' | 'requests' | 'requestRate';
export const EMPTY_SLOTS: Slots = { services: [] };
