import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { FieldColumn, FieldValue } from './columns/field-column.js';
import type { RecordBatch, Rows } from './columns/record-batch.js';
import { compilePattern, type LinearPattern } from './language/linear-pattern.js';
import { toNumber } from './language/literals.js';
import type { Literal, Predicate } from './query-model.js';

type Condition = Extract<Predicate, { readonly field: unknown }>;

/** True for values that meet a condition; an absent value is tested too. */
type ValueTest = (value: FieldValue) => boolean;

/** Evaluates one predicate on many batches. */
export class PredicateEvaluator {
  private readonly patterns = new Map<string, LinearPattern>();

  constructor(
    private readonly predicate: Predicate,
    private readonly timeSlice: Pick<TimeSlice, 'yieldIfDue'>,
  ) {}

  /** Of the given rows of a batch, those that meet the predicate. */
  select(batch: RecordBatch, rows: Rows): Promise<Rows> {
    return this.evaluate(this.predicate, batch, rows);
  }

  private async evaluate(predicate: Predicate, batch: RecordBatch, rows: Rows): Promise<Rows> {
    if (rows.length === 0) return rows;
    switch (predicate.kind) {
      case 'all':
        return this.evaluateAll(predicate.terms, batch, rows);
      case 'any':
        return this.evaluateAny(predicate.terms, batch, rows);
      case 'not':
        return subtractRows(rows, await this.evaluate(predicate.term, batch, rows));
      case 'text':
        return batch.filterText(predicate.text, rows);
      default:
        return this.evaluateCondition(predicate, batch, rows);
    }
  }

  /** Conditions that need no record come first: the others then decode fewer. */
  private async evaluateAll(terms: readonly Predicate[], batch: RecordBatch, rows: Rows): Promise<Rows> {
    let left = rows;
    for (const term of [...terms].sort((a, b) => estimateCost(a) - estimateCost(b)))
      left = await this.evaluate(term, batch, left);
    return left;
  }

  private async evaluateAny(terms: readonly Predicate[], batch: RecordBatch, rows: Rows): Promise<Rows> {
    let left = rows;
    for (const term of [...terms].sort((a, b) => estimateCost(a) - estimateCost(b)))
      left = subtractRows(left, await this.evaluate(term, batch, left));
    return subtractRows(rows, left);
  }

  private async evaluateCondition(condition: Condition, batch: RecordBatch, rows: Rows): Promise<Rows> {
    const candidates = await this.findCandidates(condition, batch, rows);
    if (candidates.length === 0) return candidates;
    const column = await batch.readColumn(condition.field, candidates);
    const test = this.createTest(condition);
    return filterRows(
      column,
      candidates,
      condition.kind === 'matches' ? await this.testAhead(column, candidates, test) : test,
    );
  }

  /** An index rules out most rows before any record is decoded. */
  private async findCandidates(condition: Condition, batch: RecordBatch, rows: Rows): Promise<Rows> {
    if (condition.kind !== 'in' || condition.values.length > MAX_INDEX_LOOKUPS) return rows;
    const marks = new Uint8Array(batch.size);
    for (const { text } of condition.values) {
      const found = await batch.findCandidates(condition.field, text);
      if (found === undefined) return rows;
      for (const row of found) marks[row] = 1;
    }
    return keepRows(rows, (row) => marks[row] === 1);
  }

  /** Tests each distinct value, for tests that take long: others have their turn in between, and the deadline acts. */
  private async testAhead(column: FieldColumn, rows: Rows, test: ValueTest): Promise<ValueTest> {
    const passing = new Set<FieldValue>();
    for (const value of listValues(column, rows)) {
      await this.timeSlice.yieldIfDue();
      if (test(value)) passing.add(value);
    }
    return (value) => passing.has(value);
  }

  private createTest(condition: Condition): ValueTest {
    switch (condition.kind) {
      case 'exists':
        return (value) => value !== undefined;
      case 'in':
        return createEqualityTest(condition);
      case 'compare':
        return createComparisonTest(condition);
      case 'matches': {
        const pattern = this.patterns.get(condition.pattern) ?? compilePattern(condition.pattern);
        this.patterns.set(condition.pattern, pattern);
        return (value) => value !== undefined && pattern.matches(String(value));
      }
    }
  }
}

/** More values than this in a list are not looked up one by one. */
const MAX_INDEX_LOOKUPS = 16;

/** Attributes compare their string form; numbers of the signal itself (durations, severities) their value. */
function createEqualityTest({ field, values }: Extract<Predicate, { kind: 'in' }>): ValueTest {
  const texts = new Set(values.map(({ text }) => text));
  if (field.scope !== 'intrinsic') return (value) => value !== undefined && texts.has(String(value));
  const numbers = new Set(values.map(({ number }) => number));
  return (value) => (typeof value === 'number' ? numbers.has(value) : value !== undefined && texts.has(value));
}

/** With a number, values that are no numbers do not meet the condition; with a text, texts compare by code unit. */
function createComparisonTest({ operator, value: bound }: Extract<Predicate, { kind: 'compare' }>): ValueTest {
  const compares = ORDER_TESTS[operator];
  if (Number.isNaN(bound.number))
    return (value) => value !== undefined && compares(compareTexts(String(value), bound.text));
  return (value) => value !== undefined && compares(compareWithNumber(value, bound));
}

const INTEGER = /^[+-]?\d+$/;

/** NaN for values that are no numbers. Integers of 64 bits are texts: as numbers, neighbours would be equal. */
function compareWithNumber(value: string | number, bound: Literal): number {
  const number = typeof value === 'number' ? value : toNumber(value);
  const isRounded = number === bound.number && Math.abs(number) > Number.MAX_SAFE_INTEGER;
  if (!isRounded || !INTEGER.test(String(value)) || !INTEGER.test(bound.text)) return number - bound.number;
  return Number(BigInt(value) - BigInt(bound.text));
}

const ORDER_TESTS: Readonly<Record<'>' | '>=' | '<' | '<=', (order: number) => boolean>> = {
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Rows of which one value at least passes. Each distinct value is tested once. */
function filterRows(column: FieldColumn, rows: Rows, test: ValueTest): Rows {
  if (column.kind === 'numbers' || column.kind === 'summed') {
    const { numbers } = column;
    return keepRows(rows, (row) => test(readNumber(numbers, row)));
  }
  const passing = Uint8Array.from(column.values, (value) => (test(value) ? 1 : 0));
  if (!passing.includes(1)) return new Uint16Array(0);
  const { codes } = column;
  if (column.kind === 'coded') return keepRows(rows, (row) => passing[codes[row]] === 1);
  const { ends } = column;
  return keepRows(rows, (row) => {
    for (let i = row === 0 ? 0 : ends[row - 1]; i < ends[row]; i++) if (passing[codes[i]] === 1) return true;
    return false;
  });
}

/** Values of these rows, each once; of fields with several ones those of all rows. */
function listValues(column: FieldColumn, rows: Rows): Iterable<FieldValue> {
  if (column.kind === 'multi') return column.values;
  if (column.kind === 'coded') return new Set(Array.from(rows, (row) => column.values[column.codes[row]]));
  return new Set(Array.from(rows, (row) => readNumber(column.numbers, row)));
}

function readNumber(numbers: Float64Array, row: number): number | undefined {
  return Number.isNaN(numbers[row]) ? undefined : numbers[row];
}

/** Rows that pass, in their order. */
function keepRows(rows: Rows, passes: (row: number) => boolean): Rows {
  const kept = new Uint16Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) if (passes(rows[i])) kept[count++] = rows[i];
  return kept.subarray(0, count);
}

/** The rows of `a` that are not in `b`; both ascend. */
export function subtractRows(a: Rows, b: Rows): Rows {
  if (b.length === 0) return a;
  let at = 0;
  return keepRows(a, (row) => {
    while (at < b.length && b[at] < row) at++;
    return at === b.length || b[at] !== row;
  });
}

/** Fields that only decoded records have cost most; an index spares most of it. */
function estimateCost(predicate: Predicate): number {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return Math.max(...predicate.terms.map(estimateCost));
    case 'not':
      return estimateCost(predicate.term);
    case 'text':
      return 1;
    default: {
      const { scope } = predicate.field;
      if (scope === 'intrinsic') return predicate.field.name === 'body' ? 3 : 0;
      if (scope === 'resource') return 1;
      return predicate.kind === 'in' && scope === 'any' ? 2 : 3;
    }
  }
}
