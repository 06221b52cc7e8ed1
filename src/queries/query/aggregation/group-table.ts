import type { FieldColumn, FieldValue } from '../columns/field-column.js';
import { OTHER_GROUP, QUERY_BOUNDS, type Cell } from '../query-model.js';
import type { QueryMemory } from '../../scheduling/query-memory.js';

/** Rows with the group of each. A row with several values of a field is in the group of each of them. */
export interface GroupedRows {
  readonly rows: Uint16Array | Uint32Array;
  readonly groups: Uint32Array;
}

/** Bytes of a group beside its texts. */
const GROUP_BYTES = 160;
/** Bytes of an entry while the groups of a batch are found: a row with one combination of its values. */
const ENTRY_BYTES = 96;

/** Counts entries before they are made: the values of a few fields have any number of combinations. */
type ReserveEntries = (count: number) => void;

/**
 * The groups of a query in order of appearance, up to a limit; what comes later is in one more group. Values that
 * `present` turns into the same cells are in the same group.
 */
export class GroupTable {
  /** Values of the fields that make up each group. */
  readonly keys: (readonly Cell[])[] = [];
  private readonly numbers = new Map<string, number>();
  private other: number | undefined;

  constructor(
    private readonly fields: number,
    private readonly present: (values: readonly Cell[]) => readonly Cell[],
    private readonly budget: QueryMemory,
    private readonly maxGroups: number = QUERY_BOUNDS.groups,
  ) {}

  get isFolded(): boolean {
    return this.other !== undefined;
  }

  /** Finds or adds the groups of the rows. `columns`: one for each field of the groups. */
  assign(columns: readonly FieldColumn[], rows: Uint16Array): GroupedRows {
    let reserved = 0;
    const reserve: ReserveEntries = (count) => {
      this.budget.charge(count * ENTRY_BYTES);
      reserved += count;
    };
    const grouped = this.assignEntries(columns, rows, reserve);
    this.budget.charge(-reserved * ENTRY_BYTES);
    return grouped;
  }

  private assignEntries(columns: readonly FieldColumn[], rows: Uint16Array, reserve: ReserveEntries): GroupedRows {
    if (columns.length === 0) {
      if (this.keys.length === 0) this.keys.push([]);
      return { rows, groups: new Uint32Array(rows.length) };
    }
    let combined = listCodes(columns[0], rows);
    const parts = [combined.values];
    const codesOf: number[][] = [];
    for (const column of columns.slice(1)) {
      const next = combineCodes(combined, column, reserve);
      codesOf.push(next.pairs);
      parts.push(next.combined.values);
      combined = next.combined;
    }
    const numbers = new Uint32Array(combined.distinct);
    for (let code = 0; code < combined.distinct; code++) numbers[code] = this.findGroup(resolve(code, parts, codesOf));
    const groups = new Uint32Array(combined.codes.length);
    for (let i = 0; i < groups.length; i++) groups[i] = numbers[combined.codes[i]];
    return combined.rows.length === rows.length
      ? { rows: combined.rows, groups }
      : dropRepeated({ rows: combined.rows, groups });
  }

  private findGroup(values: readonly FieldValue[]): number {
    const cells = this.present(values.map((value) => value ?? null));
    const key = JSON.stringify(cells);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.numbers.size >= this.maxGroups) return this.findOther();
    this.budget.charge(GROUP_BYTES + key.length * 4);
    this.numbers.set(key, this.keys.length);
    return this.keys.push(cells) - 1;
  }

  private findOther(): number {
    return (this.other ??= this.keys.push(new Array<Cell>(this.fields).fill(OTHER_GROUP)) - 1);
  }
}

/** Each row once in each group: several of its values may be in one group. Entries of a row follow each other. */
function dropRepeated({ rows, groups }: GroupedRows): GroupedRows {
  const seen = new Set<number>();
  const isNew = (_: number, i: number): boolean => {
    if (i > 0 && rows[i] !== rows[i - 1]) seen.clear();
    return seen.size < seen.add(groups[i]).size;
  };
  const kept = Uint32Array.from(rows.keys()).filter(isNew);
  return { rows: kept.map((i) => rows[i]), groups: kept.map((i) => groups[i]) };
}

/** Rows with a code each; `values` by code of the last field that was added. */
interface CodedRows {
  readonly rows: Uint16Array | Uint32Array;
  readonly codes: Uint32Array;
  readonly distinct: number;
  readonly values: readonly FieldValue[];
}

/** Dense codes of the values of one field. */
function listCodes(column: FieldColumn, rows: Uint16Array | Uint32Array): CodedRows {
  const values: FieldValue[] = [];
  if (column.kind === 'numbers' || column.kind === 'summed') {
    const known = new Map<number, number>();
    const codes = new Uint32Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      const number = column.numbers[rows[i]];
      let code = known.get(number);
      if (code === undefined) {
        known.set(number, (code = values.length));
        values.push(Number.isNaN(number) ? undefined : number);
      }
      codes[i] = code;
    }
    return { rows, codes, distinct: values.length, values };
  }
  const expanded = column.kind === 'multi' ? expandRows(column, rows) : undefined;
  const used = new Int32Array(column.values.length).fill(-1);
  const count = expanded?.rows.length ?? rows.length;
  const codes = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const given = expanded === undefined ? column.codes[rows[i]] : expanded.codes[i];
    if (used[given] < 0) used[given] = values.push(column.values[given]) - 1;
    codes[i] = used[given];
  }
  return { rows: expanded?.rows ?? rows, codes, distinct: values.length, values };
}

/** One entry for each distinct value of each row; code 0, the absent value, for rows without any. */
function expandRows(
  { ends, codes }: Extract<FieldColumn, { kind: 'multi' }>,
  rows: Uint16Array | Uint32Array,
): { rows: Uint32Array; codes: Uint32Array } {
  const expanded: { rows: number[]; codes: number[] } = { rows: [], codes: [] };
  for (const row of rows) {
    const own = new Set(codes.subarray(row === 0 ? 0 : ends[row - 1], ends[row]));
    if (own.size === 0) own.add(0);
    for (const code of own) {
      expanded.rows.push(row);
      expanded.codes.push(code);
    }
  }
  return { rows: Uint32Array.from(expanded.rows), codes: Uint32Array.from(expanded.codes) };
}

/**
 * Dense codes of the pairs of a code so far and the value of a further field. `pairs`: the code so far and the code of
 * the further field, by combined code.
 */
function combineCodes(
  before: CodedRows,
  column: FieldColumn,
  reserve: ReserveEntries,
): { combined: CodedRows; pairs: number[] } {
  const entries = Uint32Array.from(before.rows, (_, i) => i);
  const further =
    column.kind === 'multi' ? listEntries(column, before, reserve) : { entries, codes: listCodes(column, before.rows) };
  const known = new Map<number, number>();
  const pairs: number[] = [];
  const codes = new Uint32Array(further.entries.length);
  for (let i = 0; i < codes.length; i++) {
    const pair = before.codes[further.entries[i]] * further.codes.distinct + further.codes.codes[i];
    let code = known.get(pair);
    if (code === undefined) {
      known.set(pair, (code = pairs.length / 2));
      pairs.push(before.codes[further.entries[i]], further.codes.codes[i]);
    }
    codes[i] = code;
  }
  const rows = Uint32Array.from(further.entries, (entry) => before.rows[entry]);
  return { combined: { rows, codes, distinct: pairs.length / 2, values: further.codes.values }, pairs };
}

/** The values of a field with several ones, and the entry of the rows so far that each belongs to. */
function listEntries(
  column: Extract<FieldColumn, { kind: 'multi' }>,
  before: CodedRows,
  reserve: ReserveEntries,
): { entries: Uint32Array; codes: CodedRows } {
  const entries: number[] = [];
  const rows: number[] = [];
  const codes: number[] = [];
  let own: Uint32Array = new Uint32Array(0);
  for (let i = 0; i < before.rows.length; i++) {
    // Entries of a row follow each other.
    if (i === 0 || before.rows[i] !== before.rows[i - 1])
      own = expandRows(column, before.rows.subarray(i, i + 1)).codes;
    reserve(own.length);
    for (const code of own) {
      entries.push(i);
      rows.push(before.rows[i]);
      codes.push(code);
    }
  }
  return {
    entries: Uint32Array.from(entries),
    codes: {
      rows: Uint32Array.from(rows),
      codes: Uint32Array.from(codes),
      distinct: column.values.length,
      values: column.values,
    },
  };
}

/** The values behind a combined code, by field. */
function resolve(code: number, parts: readonly (readonly FieldValue[])[], pairs: readonly number[][]): FieldValue[] {
  const values: FieldValue[] = [];
  let current = code;
  for (let field = parts.length - 1; field > 0; field--) {
    const [before, own] = [pairs[field - 1][current * 2], pairs[field - 1][current * 2 + 1]];
    values.unshift(parts[field][own]);
    current = before;
  }
  values.unshift(parts[0][current]);
  return values;
}
