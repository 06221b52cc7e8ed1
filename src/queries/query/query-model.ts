/*
 * The algebra of queries: what to read (signal, range), which records (a predicate), and what to make of them (groups,
 * aggregates, steps, order). Plain data, so that a query can be stored and passed between threads.
 */

export const SIGNALS = ['spans', 'logs', 'metrics'] as const;
export type QuerySignal = (typeof SIGNALS)[number];

export const AGGREGATES = [
  'count',
  'rate',
  'errorRate',
  'sum',
  'avg',
  'min',
  'max',
  'p50',
  'p75',
  'p90',
  'p95',
  'p99',
  'countDistinct',
] as const;
export type AggregateFunction = (typeof AGGREGATES)[number];

/** Where a field is looked up. `any`: in the record, then in its resource. `intrinsic`: a field of the signal itself. */
export const FIELD_SCOPES = ['resource', 'scope', 'span', 'event', 'link', 'log', 'point'] as const;
export type FieldScope = (typeof FIELD_SCOPES)[number] | 'any' | 'intrinsic';

export interface FieldReference {
  /** As the user wrote it. */
  readonly text: string;
  readonly scope: FieldScope;
  /** Key of an attribute, or name of an intrinsic. */
  readonly name: string;
}

export type ComparisonOperator = '=' | '!=' | '>' | '>=' | '<' | '<=';

/** The value of a condition in the unit of its field. `number` is NaN if the text is no number. */
export interface Literal {
  /** String form, which `=` compares with that of attributes. */
  readonly text: string;
  readonly number: number;
}

export type Predicate =
  | { readonly kind: 'all'; readonly terms: readonly Predicate[] }
  | { readonly kind: 'any'; readonly terms: readonly Predicate[] }
  | { readonly kind: 'not'; readonly term: Predicate }
  | {
      readonly kind: 'compare';
      readonly field: FieldReference;
      readonly operator: Exclude<ComparisonOperator, '=' | '!='>;
      readonly value: Literal;
    }
  /** One of the values equals. */
  | { readonly kind: 'in'; readonly field: FieldReference; readonly values: readonly Literal[] }
  | { readonly kind: 'matches'; readonly field: FieldReference; readonly pattern: string }
  | { readonly kind: 'exists'; readonly field: FieldReference }
  /** Words of a log body, in the syntax of the log search. */
  | { readonly kind: 'text'; readonly text: string };

/** One column of the answer. */
export interface Aggregate {
  readonly fn: AggregateFunction;
  /** Absent only for count, rate and errorRate. */
  readonly field?: FieldReference;
  readonly as: string;
}

export interface Order {
  /** A column of the answer, or a field if the query lists records. */
  readonly by: string;
  readonly descending: boolean;
}

/** Half-open, in µs since 1970. */
export interface QueryRange {
  readonly fromUs: number;
  readonly toUs: number;
  /** What was not known at this time (µs) does not count: spans that end later. Absent: everything counts. */
  readonly knownByUs?: number;
  /** Spans are in the range by their end, as in the rollups, not by their start. */
  readonly byEnd?: true;
}

/** A checked query. */
export interface Query {
  readonly gridId: string;
  readonly signal: QuerySignal;
  readonly range: QueryRange;
  readonly where?: Predicate;
  readonly groupBy: readonly FieldReference[];
  /** Empty: list records. */
  readonly select: readonly Aggregate[];
  readonly stepSeconds?: number;
  readonly orderBy: readonly Order[];
  readonly limit: number;
  /** Rates divide by the seconds up to here (µs) at most. */
  readonly nowUs: number;
}

export type ColumnType = 'string' | 'number' | 'time' | 'object';

export interface AnswerColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** "" if the values have none. */
  readonly unit: string;
}

/** A value of an answer; null: the record has no such field, or there is nothing to aggregate. */
export type Cell = string | number | null | object;

/** What limits an answer; absent members do not apply. */
export interface AnswerNotes {
  /** More groups than can be kept: the rest is in the group `__other__`. */
  readonly groupsFolded?: true;
  /** Columns with distinct counts beyond the exact ones, and the relative error that two of three do not exceed. */
  readonly estimates?: readonly { readonly column: string; readonly relativeError: number }[];
  /** Records whose stored form is damaged: fields that only it tells count as absent. */
  readonly damagedRecords?: number;
}

export interface TableAnswer extends AnswerNotes {
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Groups (with `groupsFolded`: at least), or records that meet the condition; exact. */
  readonly totalRows: number;
  readonly exact: true;
}

export interface SeriesAnswer extends AnswerNotes {
  readonly columns: readonly AnswerColumn[];
  readonly series: readonly {
    readonly group: readonly Cell[];
    /** Start of each step as ISO 8601, then a value for each aggregate. */
    readonly points: readonly (readonly Cell[])[];
  }[];
  /** Groups; exact, with `groupsFolded` at least. */
  readonly totalSeries: number;
  readonly exact: true;
}

export type QueryAnswer = TableAnswer | SeriesAnswer;

/** What to compare: the records that meet `selection` with the others that meet `where`. */
export interface DifferencesQuery extends Pick<Query, 'gridId' | 'signal' | 'range'> {
  readonly where?: Predicate;
  readonly selection: Predicate;
}

/** Records that have a value, exactly. */
export interface ValueCounts {
  readonly inSelection: number;
  readonly outside: number;
}

export interface DifferencesAnswer extends Pick<AnswerNotes, 'damagedRecords'> {
  /** The largest score first. */
  readonly attributes: readonly {
    readonly field: string;
    /** The largest effect first. */
    readonly values: readonly (ValueCounts & { readonly value: string })[];
    /** Effect of the first value, 0 to 1. */
    readonly score: number;
  }[];
  /** All records that were compared. */
  readonly inSelection: number;
  readonly outside: number;
  /** Number of fields that were compared. */
  readonly compared: number;
  /** Number of fields that were not: beyond the first 200, or with over 2,000 values. Absent if none. */
  readonly leftOut?: number;
  readonly exact: true;
}

export const QUERY_BOUNDS = {
  whereLength: 4_096,
  groupBy: 4,
  select: 20,
  /** Keys of the order: as many as an answer can have columns. */
  orderBy: 24,
  limit: 1_000,
  /** Groups that are kept; further ones fold into `__other__`. */
  groups: 10_000,
  /** Distinct values that are counted exactly. */
  distinctValues: 100_000,
  nameLength: 256,
  /** Steps of a series, and steps times series. */
  steps: 1_500,
  points: 50_000,
  stepSeconds: { min: 1, max: 86_400 * 31 },
} as const;

/** Group of everything beyond QUERY_BOUNDS.groups. */
export const OTHER_GROUP = '__other__';
