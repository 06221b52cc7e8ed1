import type { IntentName } from '../intents/intent.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import type { Slots } from './slots.js';

/** Slots that restrict an answer, whatever the intent. */
export const CONDITIONS = [
  'time',
  'baseline',
  'operation',
  'thing',
  'words',
  'traceId',
  'spanId',
  'minDurationMs',
  'maxDurationMs',
  'minErrorRate',
  'maxErrorRate',
  'limit',
  'tags',
  'version',
  'excluded',
  'status',
  'severity',
  'alertSeverity',
  'otherAlertSeverity',
  'alertStatus',
  'exception',
  'recordStates',
  'isAcknowledged',
  'queried',
] as const satisfies readonly (keyof Slots)[];
export type Condition = (typeof CONDITIONS)[number];

/** Which conditions and words the answer of an intent takes into account. All others make it refuse. */
export interface IntentCoverage {
  readonly conditions: readonly Condition[];
  /** Number of services that it can answer for; any number unless given. */
  readonly maxServices?: number;
  /** Concepts that are no cues of the intent and do not restrict its answer either. */
  readonly tolerates?: readonly Concept[];
  /** Concepts that it also understands with a negation: "not healthy". */
  readonly negates?: readonly Concept[];
  /** Singular nouns by which its answer is grouped: "error rate per service". */
  readonly groups?: readonly string[];
  /** Explains a situation: what the question says about it restricts nothing, except after a preposition. */
  readonly isNarrative?: true;
  /** Other words that restrict nothing beside this intent. */
  readonly words?: readonly string[];
  /** Reports averages, medians and shares. */
  readonly isMeasuring?: true;
  /** Lists the newest first. */
  readonly isNewestFirst?: true;
  /** Gives no figures. */
  readonly isUnrestricted?: true;
}

const EXPLANATION: IntentCoverage = { conditions: ['time', 'thing'], maxServices: 1, isNarrative: true };
const COURTESY: IntentCoverage = { conditions: CONDITIONS, isUnrestricted: true };

export const INTENT_COVERAGE: Readonly<Record<IntentName, IntentCoverage>> = {
  health: {
    conditions: ['time', 'thing', 'excluded'],
    negates: ['health', 'broken'],
    groups: ['service'],
    isNarrative: true,
    isMeasuring: true,
  },
  recovery: { conditions: ['time', 'thing'], isNarrative: true },
  why: EXPLANATION,
  impact: { conditions: ['time'], maxServices: 1, tolerates: ['traces', 'services', 'broken', 'using'] },
  onset: { ...EXPLANATION, conditions: ['time', 'thing', 'exception'], isNewestFirst: true },
  certainty: EXPLANATION,
  remedy: { ...EXPLANATION, words: ['first'] },
  latency: {
    conditions: ['time', 'operation', 'limit'],
    tolerates: ['using', 'requests', 'endpoints'],
    groups: ['service'],
    isMeasuring: true,
  },
  errors: {
    conditions: [
      'time',
      'operation',
      'thing',
      'limit',
      'minErrorRate',
      'maxErrorRate',
      'excluded',
      'status',
      'exception',
    ],
    tolerates: ['endpoints', 'requests', 'logs'],
    negates: ['errors', 'failed', 'succeeded'],
    words: ['only'],
    groups: ['service'],
    isMeasuring: true,
    isNewestFirst: true,
  },
  outcomes: {
    conditions: ['time', 'baseline', 'operation', 'thing', 'status'],
    tolerates: ['errors', 'failed', 'succeeded', 'requests'],
    negates: ['errors', 'failed', 'succeeded'],
    isMeasuring: true,
  },
  traffic: { conditions: ['time', 'limit'], groups: ['service'], isMeasuring: true },
  traces: {
    conditions: ['time', 'operation', 'thing', 'limit', 'minDurationMs', 'maxDurationMs', 'tags', 'status'],
    tolerates: ['errors', 'slow', 'slowest', 'latency', 'compare', 'using'],
    negates: ['errors', 'failed', 'succeeded'],
    words: ['good', 'only'],
    isNewestFirst: true,
  },
  trace: { conditions: ['time', 'traceId', 'spanId'], tolerates: ['timeline', 'errors', 'detail'] },
  logs: {
    conditions: ['time', 'thing', 'limit', 'words', 'traceId', 'spanId', 'tags', 'excluded', 'severity'],
    words: [
      'only',
      'contain',
      'containing',
      'mention',
      'mentioning',
      'matching',
      'including',
      'phrase',
      'text',
      'word',
    ],
    isNewestFirst: true,
  },
  changes: {
    conditions: ['time', 'baseline', 'limit', 'tags', 'version', 'excluded'],
    tolerates: ['slow', 'trend', 'latency', 'errors', 'broken', 'why', 'since', 'services', 'endpoints'],
    // What a deployment did is part of the list.
    words: ['only', 'first', 'good', 'bad', 'safe'],
    isNewestFirst: true,
  },
  alerts: {
    conditions: ['time', 'limit', 'excluded', 'alertSeverity', 'otherAlertSeverity', 'alertStatus', 'isAcknowledged'],
    tolerates: ['level', 'since', 'when', 'timeline', 'resolved', 'remedy'],
    words: ['only'],
    isNewestFirst: true,
  },
  rules: {
    conditions: ['limit', 'alertSeverity', 'otherAlertSeverity'],
    tolerates: ['level'],
    words: [
      'configured',
      'defined',
      'severity',
      'apply',
      'applie',
      'cover',
      'watch',
      'watche',
      'monitor',
      'concern',
      'exist',
    ],
  },
  pressure: {
    conditions: ['time', 'limit', 'excluded'],
    tolerates: ['dependencies', 'remaining', 'services', 'when', 'broken', 'health'],
    words: ['close', 'enough', 'fill', 'filled'],
  },
  dependencies: {
    conditions: ['time', 'limit'],
    maxServices: 2,
    tolerates: ['impact', 'broken', 'trend', 'failed', 'errors', 'services', 'latency', 'requests'],
    words: ['draw', 'suffer', 'die', 'break'],
  },
  slowest: {
    conditions: ['time', 'limit', 'minDurationMs', 'maxDurationMs', 'excluded'],
    maxServices: 1,
    tolerates: ['most', 'using', 'services'],
    words: ['lose', 'only'],
    groups: ['endpoint', 'operation'],
  },
  trends: {
    conditions: ['time'],
    maxServices: 1,
    tolerates: ['changes', 'latency', 'errors', 'requests', 'slow', 'health'],
    isMeasuring: true,
  },
  comparison: {
    conditions: ['time', 'baseline', 'thing', 'status'],
    tolerates: ['slow', 'latency', 'errors', 'requests', 'failed', 'succeeded', 'health', 'broken'],
    groups: ['service'],
    isMeasuring: true,
  },
  timeline: { conditions: ['time', 'limit', 'excluded'], isNarrative: true },
  services: { conditions: ['time', 'excluded'] },
  detail: { conditions: ['time', 'operation', 'limit'], maxServices: 1, isMeasuring: true },
  metrics: {
    conditions: ['time', 'thing', 'limit'],
    maxServices: 1,
    tolerates: ['pressure', 'dependencies'],
    // Charts tell the last value.
    isNewestFirst: true,
  },
  usage: { conditions: ['time'], words: ['close', 'far'] },
  objectives: {
    conditions: ['limit', 'excluded', 'words'],
    tolerates: ['remaining', 'health', 'trend', 'most'],
    words: [
      'meet',
      'met',
      'miss',
      'missed',
      'breached',
      'violated',
      'reach',
      'reached',
      'kept',
      'risk',
      'danger',
      'endangered',
      'threatened',
      'jeopardy',
      'fast',
      'quickly',
    ],
    groups: ['service'],
  },
  incidents: {
    conditions: ['time', 'limit', 'excluded', 'alertSeverity', 'otherAlertSeverity', 'recordStates', 'isAcknowledged'],
    tolerates: ['broken', 'since', 'when', 'level', 'resolved', 'over', 'alerts', 'impact'],
    words: [
      'touch',
      'touched',
      'involve',
      'involved',
      'handling',
      'charge',
      'responsible',
      'lasted',
      'duration',
      'opened',
      'began',
      'begun',
      'created',
      'raised',
      'triggered',
    ],
    isNewestFirst: true,
  },
  silences: {
    conditions: ['time', 'limit', 'excluded', 'recordStates'],
    tolerates: ['alerts', 'why', 'since', 'when', 'over', 'resolved'],
    words: ['created', 'expire', 'until', 'begin', 'start'],
  },
  errorGroups: {
    conditions: ['time', 'limit', 'recordStates'],
    maxServices: 1,
    tolerates: ['resolved', 'over'],
  },
  guide: COURTESY,
  meaning: COURTESY,
  help: COURTESY,
  greeting: COURTESY,
  thanks: COURTESY,
};
