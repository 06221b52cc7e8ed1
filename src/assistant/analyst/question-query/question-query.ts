import type { AggregateFunction } from '../../../queries/query/query-model.js';
import type { Slots, TimeReference } from '../understanding/slots.js';

/** What a question asks of records, in the terms of the query language (docs/query.md). Plain, stored data. */
export interface QuestionQuery {
  readonly subject: RecordSubject;
  /** All must hold. */
  readonly conditions: readonly QuestionCondition[];
  /** Part of the conditions whose share of the records is asked for: "what percentage … took more than 400 ms". */
  readonly share?: readonly QuestionCondition[];
  /** One of the conditions: its records are compared with all that meet the others only. */
  readonly besideRest?: QuestionCondition;
  /** Services that a trace must have spans of, all of them. */
  readonly touched?: readonly string[];
  readonly measures: readonly QuestionMeasure[];
  readonly groupBy: readonly string[];
  readonly stepSeconds?: number;
  readonly order?: MeasureOrder;
  /** Bounds of measures that a group must meet. */
  readonly having: readonly MeasureBound[];
  /** Lists the records themselves, in this order. */
  readonly listing?: { readonly by: 'time' | 'duration'; readonly descending: boolean };
  readonly limit?: number;
  /** Only the last step of each series is asked for. */
  readonly isLatest?: true;
  readonly time?: EventTime | TimeReference;
  readonly baseline?: Slots['baseline'];
  /** What the first line of the answer was about. */
  readonly firstListed?: readonly QuestionCondition[];
  /** The query continues the one before in a way that only a query can. */
  readonly isContinued?: boolean;
}

export type RecordSubject = 'requests' | 'spans' | 'traces' | 'calls' | 'logs' | 'metrics';

/** After or before the newest deployment of a service, or of any; of a version if one is given. */
export interface EventTime {
  readonly kind: 'event';
  readonly side: 'since' | 'before' | 'both';
  readonly service?: string;
  readonly version?: string;
}

export type ComparisonSign = '>' | '>=' | '<' | '<=';

export type QuestionCondition =
  /** One of the values. */
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly string[] }
  | { readonly kind: 'compare'; readonly field: string; readonly sign: ComparisonSign; readonly value: string }
  | { readonly kind: 'exists'; readonly field: string }
  /** A phrase in the text of a log entry. */
  | { readonly kind: 'text'; readonly phrase: string }
  /** The service, database, queue or host that a call goes to. */
  | { readonly kind: 'callee'; readonly name: string }
  | { readonly kind: 'not'; readonly term: QuestionCondition }
  | { readonly kind: 'any' | 'all'; readonly terms: readonly QuestionCondition[] };

/** `failures`: records with status ERROR, or log entries of level Error and Fatal; `failureRate`: of them a second. */
export interface QuestionMeasure {
  readonly fn: AggregateFunction | 'failures' | 'failureRate';
  readonly field?: string;
  readonly isPerMinute?: boolean;
  /** Of a rate: one figure for the whole time, and not one for each minute. */
  readonly isMean?: boolean;
  /** Of the values of a metric. */
  readonly unit?: string;
  /** The word for the function, where the question says not of what: "maximum". */
  readonly bare?: string;
}

export interface MeasureOrder {
  readonly measure: QuestionMeasure;
  readonly descending: boolean;
}

export interface MeasureBound {
  readonly measure: QuestionMeasure;
  readonly sign: ComparisonSign | '=';
  readonly value: number;
}

/** A question as a query, or what of it could not be read: then it must not be answered. */
export type QueryReading =
  | {
      readonly kind: 'query';
      readonly query: QuestionQuery;
      /** Operations that the question names by one word only, which may mean something else. */
      readonly guessed?: readonly string[];
    }
  | {
      readonly kind: 'unread';
      readonly words: readonly string[];
      /** Words that may be values of attributes. */
      readonly values: readonly string[];
      /** Fields without a value, which may be flags: "a cache hit". */
      readonly fields?: readonly string[];
    };

/** The group of calls: not a field, but the far end of the call. */
export const CALLEE_GROUP = 'callee';
export const CALLER_GROUP = 'caller';

/** An attribute that holds a value of the question. */
export interface FoundValue {
  readonly field: string;
  /** As it is stored. */
  readonly value: string;
}

/** A stored query; undefined if an earlier version or another answerer stored something else. */
export function parseStoredQuery(stored: unknown): QuestionQuery | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { subject, conditions, measures, groupBy, having } = stored as Partial<QuestionQuery>;
  return typeof subject === 'string' && [conditions, measures, groupBy, having].every(Array.isArray)
    ? (stored as QuestionQuery)
    : undefined;
}
