import type { FieldError } from '../../errors.js';
import { describeField, resolveField } from './field-catalogue.js';
import { parseWhere } from './language/where-parser.js';
import {
  AGGREGATES,
  QUERY_BOUNDS,
  SIGNALS,
  type Aggregate,
  type AggregateFunction,
  type DifferencesQuery,
  type FieldReference,
  type Order,
  type Predicate,
  type Query,
  type QueryRange,
  type QuerySignal,
} from './query-model.js';
import { listSteps } from './series-query.js';

/** A query as a client writes it. Any member may have any type until it is checked. */
export interface QueryDefinition {
  readonly signal: QuerySignal;
  readonly where?: string;
  readonly groupBy?: readonly string[];
  readonly select?: readonly { readonly fn: AggregateFunction; readonly field?: string; readonly as?: string }[];
  readonly stepSeconds?: number;
  readonly orderBy?: readonly { readonly by: string; readonly descending?: boolean }[];
  readonly limit?: number;
}

/**
 * The definition as it is stored: what it leaves out, or gives as null, is an empty text, an empty list or 0. The
 * definition must be valid.
 */
export function completeDefinition({ signal, where, groupBy, select, stepSeconds, orderBy, limit }: QueryDefinition) {
  return {
    signal,
    where: where ?? '',
    groupBy: groupBy ?? [],
    select: (select ?? []).map(({ fn, field = '', as = '' }) => ({ fn, field, as })),
    stepSeconds: stepSeconds ?? 0,
    orderBy: (orderBy ?? []).map(({ by, descending = false }) => ({ by, descending })),
    limit: limit ?? 0,
  };
}

/** Where and when a query reads. */
export interface QueryContext {
  readonly gridId: string;
  readonly range: QueryRange;
  readonly nowUs: number;
}

/** A checked definition: the query without its Grid and range. */
export type QueryPlan = Omit<Query, keyof QueryContext>;

export type CompiledQuery = { readonly plan: QueryPlan } | { readonly errors: readonly FieldError[] };

const DEFAULT_LIMIT = 100;
const DEFAULT_SERIES = 10;

/** A request is compiled when it is checked and again when it runs: the second time it is found here. */
const compiledQueries = new WeakMap<QueryDefinition, CompiledQuery>();

/** Checks a definition and resolves its fields. Reports all faults, with the names of fields as the client wrote them. */
export function compileQuery(definition: QueryDefinition): CompiledQuery {
  const known = compiledQueries.get(definition);
  if (known !== undefined) return known;
  const compiler = new QueryCompiler(definition);
  const plan = compiler.compile();
  const compiled = compiler.errors.length > 0 ? { errors: compiler.errors } : { plan };
  compiledQueries.set(definition, compiled);
  return compiled;
}

/** Two sets of records as a client writes them. */
export interface DifferencesDefinition {
  readonly signal: QuerySignal;
  readonly where?: string;
  readonly selection: string;
}

type CompiledDifferences =
  | { readonly plan: Pick<DifferencesQuery, 'signal' | 'where' | 'selection'> }
  | { readonly errors: readonly FieldError[] };

const compiledDifferences = new WeakMap<DifferencesDefinition, CompiledDifferences>();

/** Checks both conditions; reports all faults. */
export function compileDifferences(definition: DifferencesDefinition): CompiledDifferences {
  const compiled = compiledDifferences.get(definition) ?? compileBoth(definition);
  compiledDifferences.set(definition, compiled);
  return compiled;
}

function compileBoth({ signal, where, selection }: DifferencesDefinition): CompiledDifferences {
  const all = compileQuery({ signal, ...(where !== undefined && { where }) });
  const selected = compileQuery({ signal, where: selection });
  const ofSelection = 'errors' in selected ? selected.errors.filter(({ field }) => field === 'where') : [];
  const errors = [
    ...('errors' in all ? all.errors : []),
    ...ofSelection.map(({ message }) => ({ field: 'selection', message })),
  ];
  if (typeof selection !== 'string' || selection.trim() === '')
    errors.push({ field: 'selection', message: 'must not be blank' });
  if ('errors' in all || 'errors' in selected || selected.plan.where === undefined) return { errors };
  return {
    plan: {
      signal,
      selection: selected.plan.where,
      ...(all.plan.where !== undefined && { where: all.plan.where }),
    },
  };
}

/** What is wrong with a series over this range; undefined for tables and for series that are short enough. */
export function findSeriesFault({ stepSeconds, limit }: QueryPlan, range: QueryRange): string | undefined {
  if (stepSeconds === undefined) return undefined;
  const { count } = listSteps(range, stepSeconds);
  if (count > QUERY_BOUNDS.steps)
    return `gives ${count} steps over this range; at most ${QUERY_BOUNDS.steps} are possible`;
  return count * limit > QUERY_BOUNDS.points
    ? `gives ${count} steps, times a limit of ${limit} series; at most ${QUERY_BOUNDS.points} points are possible`
    : undefined;
}

/** The query of a checked definition. Metrics are kept by the minute: their range becomes whole minutes that are known. */
export function placeQuery<Plan extends { readonly signal: QuerySignal }, Context extends Pick<QueryContext, 'range'>>(
  plan: Plan,
  context: Context,
): Plan & Context {
  return { ...plan, ...context, range: plan.signal === 'metrics' ? widenToMinutes(context.range) : context.range };
}

function widenToMinutes(range: QueryRange): QueryRange {
  const { fromUs, toUs, knownByUs = Infinity } = range;
  const end = Math.min(Math.ceil(toUs / MINUTE_US), Math.floor(knownByUs / MINUTE_US));
  return { ...range, fromUs: Math.floor(fromUs / MINUTE_US) * MINUTE_US, toUs: end * MINUTE_US };
}

class QueryCompiler {
  readonly errors: FieldError[] = [];
  private readonly reported = new Set<string>();

  constructor(private readonly given: QueryDefinition) {}

  compile(): QueryPlan {
    const signal = this.readSignal();
    const groupBy = this.readGroupBy(signal);
    const select = this.readSelect(signal, groupBy);
    const stepSeconds = this.readStep(signal, select);
    const where = this.readWhere(signal);
    const orderBy = this.readOrder(signal, groupBy, select);
    if (groupBy.length > 0 && this.list('select').length === 0)
      this.report('groupBy', 'needs at least one function in select');
    return {
      signal,
      groupBy,
      select,
      orderBy,
      limit: this.readLimit(stepSeconds),
      ...(where !== undefined && { where }),
      ...(stepSeconds !== undefined && { stepSeconds }),
    };
  }

  private readSignal(): QuerySignal {
    const { signal } = this.given;
    if (SIGNALS.includes(signal)) return signal;
    this.report('signal', `must be one of ${SIGNALS.join(', ')}`);
    return 'spans';
  }

  private readWhere(signal: QuerySignal): Predicate | undefined {
    const where: unknown = this.given.where ?? '';
    if (typeof where !== 'string' || where.length > QUERY_BOUNDS.whereLength) {
      this.report('where', `must be a string of at most ${QUERY_BOUNDS.whereLength} characters`);
      return undefined;
    }
    const parsed = parseWhere(signal, where);
    if ('predicate' in parsed) return parsed.predicate;
    this.report('where', parsed.fault.message);
    return undefined;
  }

  private readGroupBy(signal: QuerySignal): FieldReference[] {
    const names = this.list('groupBy');
    if (names.length > QUERY_BOUNDS.groupBy) this.report('groupBy', `must have at most ${QUERY_BOUNDS.groupBy} fields`);
    const known = new Set<unknown>();
    return names.slice(0, QUERY_BOUNDS.groupBy).map((name, at) => {
      if (known.has(name)) this.report(`groupBy[${at}]`, 'must differ from the other fields');
      known.add(name);
      return this.readField(signal, name, `groupBy[${at}]`);
    });
  }

  private readSelect(signal: QuerySignal, groupBy: readonly FieldReference[]): Aggregate[] {
    const items = this.list('select');
    if (items.length > QUERY_BOUNDS.select) this.report('select', `must have at most ${QUERY_BOUNDS.select} functions`);
    const select = items
      .slice(0, QUERY_BOUNDS.select)
      .map((item, at) => this.readAggregate(signal, item, `select[${at}]`));
    const names = new Set(groupBy.map(({ text }) => text));
    select.forEach(({ as }, at) => {
      if (names.has(as)) this.report(`select[${at}].as`, `must differ from the names of other columns: ${as}`);
      names.add(as);
    });
    return select;
  }

  private readAggregate(signal: QuerySignal, item: unknown, path: string): Aggregate {
    const { fn, field, as } = (isObject(item) ? item : {}) as Partial<Record<'fn' | 'field' | 'as', unknown>>;
    if (!AGGREGATES.includes(fn as AggregateFunction)) {
      this.report(`${path}.fn`, `must be one of ${AGGREGATES.join(', ')}`);
      return { fn: 'count', as: path };
    }
    const name = fn as AggregateFunction;
    const reference = field === undefined ? undefined : this.readField(signal, field, `${path}.field`);
    this.checkFunction(signal, name, reference, path);
    if (as !== undefined && !isName(as))
      this.report(`${path}.as`, `must be a string of 1 to ${QUERY_BOUNDS.nameLength} characters and not blank`);
    const label = typeof as === 'string' ? as : reference === undefined ? name : `${name}(${reference.text})`;
    return { fn: name, as: label, ...(reference !== undefined && { field: reference }) };
  }

  private checkFunction(
    signal: QuerySignal,
    fn: AggregateFunction,
    field: FieldReference | undefined,
    path: string,
  ): void {
    if (signal === 'metrics' && fn === 'errorRate')
      this.report(`${path}.fn`, 'errorRate is for spans and logs: points of metrics have no errors');
    if (signal === 'metrics' && /^p\d/.test(fn))
      this.report(`${path}.fn`, 'percentiles are for spans and logs: metrics are kept as sums and extremes by minute');
    if (fn === 'count') return;
    if (fn === 'rate' || fn === 'errorRate') {
      if (field !== undefined) this.report(`${path}.field`, `${fn} takes no field: it concerns all records`);
    } else if (field === undefined) this.report(`${path}.field`, `is required for ${fn}`);
    else if (fn !== 'countDistinct') this.checkNumeric(signal, fn, field, path);
  }

  /** Attributes may hold numbers; intrinsic fields say what they hold. */
  private checkNumeric(signal: QuerySignal, fn: AggregateFunction, field: FieldReference, path: string): void {
    const { type } = describeField(signal, field);
    const isPossible = type === 'number' || (type === 'time' && (fn === 'min' || fn === 'max'));
    if (field.scope === 'intrinsic' && !isPossible)
      this.report(`${path}.field`, `${fn} needs a number, but ${field.text} is not one`);
  }

  private readStep(signal: QuerySignal, select: readonly Aggregate[]): number | undefined {
    const step: unknown = this.given.stepSeconds ?? undefined;
    if (step === undefined) return undefined;
    const { min, max } = QUERY_BOUNDS.stepSeconds;
    if (!Number.isInteger(step) || (step as number) < min || (step as number) > max) {
      this.report('stepSeconds', `must be a whole number from ${min} to ${max}`);
      return undefined;
    }
    if (select.length === 0) this.report('stepSeconds', 'needs at least one function in select');
    if (signal === 'metrics' && (step as number) % SECONDS_PER_MINUTE !== 0)
      this.report('stepSeconds', 'must be whole minutes for metrics, which are kept by the minute');
    return step as number;
  }

  private readOrder(signal: QuerySignal, groupBy: readonly FieldReference[], select: readonly Aggregate[]): Order[] {
    const names = new Set([...groupBy.map(({ text }) => text), ...select.map(({ as }) => as)]);
    const items = this.list('orderBy');
    if (items.length > QUERY_BOUNDS.orderBy) this.report('orderBy', `must have at most ${QUERY_BOUNDS.orderBy} keys`);
    return items.slice(0, QUERY_BOUNDS.orderBy).map((item, at): Order => {
      const path = `orderBy[${at}]`;
      const { by, descending } = (isObject(item) ? item : {}) as Partial<Record<'by' | 'descending', unknown>>;
      if (descending !== undefined && typeof descending !== 'boolean')
        this.report(`${path}.descending`, 'must be true or false');
      if (select.length === 0) this.readField(signal, by, `${path}.by`);
      else if (typeof by !== 'string' || !names.has(by))
        this.report(`${path}.by`, `must name a column of the answer: ${[...names].join(', ')}`);
      return { by: typeof by === 'string' ? by : '', descending: descending === true };
    });
  }

  private readLimit(stepSeconds: number | undefined): number {
    const limit: unknown = this.given.limit ?? (stepSeconds === undefined ? DEFAULT_LIMIT : DEFAULT_SERIES);
    if (Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= QUERY_BOUNDS.limit)
      return limit as number;
    this.report('limit', `must be a whole number from 1 to ${QUERY_BOUNDS.limit}`);
    return DEFAULT_LIMIT;
  }

  private readField(signal: QuerySignal, name: unknown, path: string): FieldReference {
    if (!isName(name)) {
      this.report(path, `must be the name of a field, of at most ${QUERY_BOUNDS.nameLength} characters`);
      return { text: path, scope: 'any', name: path };
    }
    const field = resolveField(signal, name);
    if (typeof field !== 'string') return field;
    this.report(path, `${name}: the signal ${signal} ${field}`);
    return { text: name, scope: 'any', name };
  }

  private list(member: 'groupBy' | 'select' | 'orderBy'): readonly unknown[] {
    const value: unknown = this.given[member] ?? [];
    if (Array.isArray(value)) return value;
    this.report(member, 'must be a list');
    return [];
  }

  private report(field: string, message: string): void {
    if (this.reported.has(field)) return;
    this.reported.add(field);
    this.errors.push({ field, message });
  }
}

const SECONDS_PER_MINUTE = 60;
const MINUTE_US = SECONDS_PER_MINUTE * 1e6;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= QUERY_BOUNDS.nameLength;
}
