import type { FieldColumn } from './columns/field-column.js';
import type { RecordBatch, RecordSource, Rows } from './columns/record-batch.js';
import { DistinctCounter } from './aggregation/distinct-counter.js';
import type { QueryMemory } from '../scheduling/query-memory.js';
import { findIntrinsic } from './field-catalogue.js';
import { PredicateEvaluator } from './predicate-evaluator.js';
import type { DifferencesAnswer, DifferencesQuery, Predicate, QuerySignal, ValueCounts } from './query-model.js';

/** Fields compared at most, and distinct values of each: beyond that a field identifies records rather than groups. */
const MAX_FIELDS = 200;
const MAX_VALUES = 2_000;
/** Values that are answered of each field. */
const SHOWN_VALUES = 10;
/** Bytes of a value beside its characters. */
const VALUE_BYTES = 96;

/** Place of the attributes of a record itself. */
const OWN_SCOPE: Readonly<Record<QuerySignal, string>> = { spans: 'span', logs: 'log', metrics: 'point' };

/** Intrinsic fields that may set records apart. */
const INTRINSICS: Readonly<Record<DifferencesQuery['signal'], readonly string[]>> = {
  spans: ['service', 'operation', 'kind', 'status'],
  logs: ['service', 'severity', 'eventName'],
  metrics: ['service', 'metric', 'instance'],
};

/**
 * Finds the fields whose values set the records of a selection apart from the others that meet the condition. Every
 * attribute key of the records is compared, from exact counts of all of them.
 */
export async function findDifferences(query: DifferencesQuery, source: RecordSource): Promise<DifferencesAnswer> {
  const counter = new DifferenceCounter(query, source.timeSlice.openMemory());
  await counter.collect(source);
  return counter.rank(source.damagedRecords);
}

/** Counts of one value: records of the selection, and all others. */
type Counts = [inSelection: number, outside: number];

class DifferenceCounter {
  private readonly fields = new Map<string, Map<string, Counts> | undefined>();
  /** What the conditions name sets the selection apart by definition. */
  private readonly given: ReadonlySet<string>;
  private readonly leftOut: DistinctCounter;
  private inSelection = 0;
  private outside = 0;

  constructor(
    private readonly query: DifferencesQuery,
    private readonly memory: QueryMemory,
  ) {
    this.leftOut = new DistinctCounter(memory);
    // `service` is what this attribute tells.
    this.given = new Set([
      'service.name',
      ...listFields(query.signal, query.selection),
      ...(query.where ? listFields(query.signal, query.where) : []),
    ]);
  }

  async collect(source: RecordSource): Promise<void> {
    const { where, selection, range } = this.query;
    const all = where && new PredicateEvaluator(where, source.timeSlice);
    const selected = new PredicateEvaluator(selection, source.timeSlice);
    for await (const batch of source.batches()) {
      const inRange = await batch.selectRange(range);
      const rows = all === undefined ? inRange : await all.select(batch, inRange);
      if (rows.length === 0) continue;
      const chosen = await selected.select(batch, rows);
      const marks = new Uint8Array(batch.size);
      for (const row of chosen) marks[row] = 1;
      this.inSelection += chosen.length;
      this.outside += rows.length - chosen.length;
      await this.countBatch(batch, rows, marks);
    }
  }

  /** Fields by score, the largest first. */
  rank(damagedRecords: number): DifferencesAnswer {
    const compared = [...this.fields].flatMap(([field, values]) => (values === undefined ? [] : [{ field, values }]));
    const attributes = compared
      .map(({ field, values }) => this.describe(field, values, compared.length))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.field < b.field ? -1 : 1));
    return {
      attributes,
      inSelection: this.inSelection,
      outside: this.outside,
      compared: compared.length,
      exact: true,
      ...(this.leftOut.count > 0 && { leftOut: this.leftOut.count }),
      ...(damagedRecords > 0 && { damagedRecords }),
    };
  }

  private async countBatch(batch: RecordBatch, rows: Rows, marks: Uint8Array): Promise<void> {
    for (const name of INTRINSICS[this.query.signal].filter((each) => !this.given.has(each)))
      this.addColumn(name, await batch.readColumn({ text: name, scope: 'intrinsic', name }, rows), rows, marks);
    const scope = OWN_SCOPE[this.query.signal];
    await batch.forEachAttributes(rows, (row, own, resource) => {
      const place = 1 - marks[row];
      for (const key of Object.keys(own)) this.addAttribute(this.nameField(key, scope), String(own[key]), place);
      for (const key of Object.keys(resource))
        if (!Object.hasOwn(own, key)) this.addAttribute(this.nameField(key, 'resource'), String(resource[key]), place);
    });
  }

  /** An attribute that is called like an intrinsic field is named with its place, as conditions write it. */
  private nameField(key: string, scope: string): string {
    return findIntrinsic(this.query.signal, key) === undefined ? key : `${scope}.${key}`;
  }

  private addAttribute(key: string, text: string, place: number): void {
    let values = this.fields.get(key);
    if (values === undefined) {
      if (this.fields.has(key) || this.given.has(key)) return;
      if (this.fields.size >= MAX_FIELDS) return this.leftOut.add(key);
      this.memory.charge(key.length * 2 + VALUE_BYTES);
      this.fields.set(key, (values = new Map<string, Counts>()));
    }
    const known = values.get(text);
    if (known !== undefined) known[place]++;
    else this.addValue(values, text, 1 - place, place);
    if (values.size > MAX_VALUES) this.leaveOut(key, values);
  }

  /** Gives back the memory of a field that identifies records. */
  private leaveOut(field: string, values: ReadonlyMap<string, Counts>): void {
    for (const text of values.keys()) this.memory.charge(-(text.length * 2 + VALUE_BYTES));
    this.fields.set(field, undefined);
    this.leftOut.add(field);
  }

  private addColumn(name: string, column: FieldColumn, rows: Rows, marks: Uint8Array): void {
    if (column.kind !== 'coded') return;
    if (this.fields.has(name) && this.fields.get(name) === undefined) return;
    const counts = new Uint32Array(column.values.length * 2);
    for (let i = 0; i < rows.length; i++) counts[column.codes[rows[i]] * 2 + 1 - marks[rows[i]]]++;
    const values = this.fields.get(name) ?? new Map<string, Counts>();
    this.fields.set(name, values);
    column.values.forEach((value, code) => {
      const [inside, outside] = [counts[code * 2], counts[code * 2 + 1]];
      if (value !== undefined && inside + outside > 0) this.addValue(values, String(value), inside, outside);
    });
    if (values.size > MAX_VALUES) this.leaveOut(name, values);
  }

  private addValue(values: Map<string, Counts>, text: string, inside: number, outside: number): void {
    const known = values.get(text);
    if (known === undefined) {
      this.memory.charge(text.length * 2 + VALUE_BYTES);
      values.set(text, [inside, outside]);
    } else {
      known[0] += inside;
      known[1] += outside;
    }
  }

  private describe(
    field: string,
    values: ReadonlyMap<string, Counts>,
    fields: number,
  ): DifferencesAnswer['attributes'][number] {
    const listed = [...values].map(([value, [inside, outside]]) => ({ value, inSelection: inside, outside }));
    const effect = (counts: ValueCounts): number => this.measureEffect(counts, fields * values.size);
    listed.sort((a, b) => effect(b) - effect(a) || b.inSelection - a.inSelection || (a.value < b.value ? -1 : 1));
    return {
      field,
      values: listed.slice(0, SHOWN_VALUES),
      score: listed.length === 0 ? 0 : Math.round(effect(listed[0]) * 1e4) / 1e4,
    };
  }

  /**
   * Difference of the shares of the records that have the value, in the selection and outside, less what chance explains
   * when `tried` values are compared (Bonferroni; normal approximation of two proportions). 0 to 1.
   */
  private measureEffect({ inSelection, outside }: ValueCounts, tried: number): number {
    const [n, m] = [this.inSelection, this.outside];
    if (n === 0 || m === 0) return 0;
    const pooled = (inSelection + outside) / (n + m);
    const error = Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
    const difference = inSelection / n - outside / m;
    return Math.max(0, difference - quantileOfChance(tried) * error);
  }
}

/** Names of the fields of a condition. */
function listFields(signal: QuerySignal, predicate: Predicate): string[] {
  if ('terms' in predicate) return predicate.terms.flatMap((term) => listFields(signal, term));
  if ('term' in predicate) return listFields(signal, predicate.term);
  if (!('field' in predicate)) return [];
  const { text, scope, name } = predicate.field;
  // `span.status` is not the intrinsic field.
  return scope !== 'intrinsic' && findIntrinsic(signal, name) !== undefined ? [text] : [text, name];
}

/** Standard errors that chance exceeds in one of twenty comparisons of `tried` values (upper bound of the normal tail). */
function quantileOfChance(tried: number): number {
  return Math.sqrt(2 * Math.log((20 * Math.max(1, tried)) / 2));
}
