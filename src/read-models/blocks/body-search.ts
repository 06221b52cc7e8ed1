import {
  FIRST_WORD_SYMBOL,
  hasDigit,
  ROW_SHAPES,
  SHAPE_SYMBOLS,
  shapeEnds,
  UNORDERED_SYMBOL,
  VALUE_SYMBOL,
} from './body-words.js';
import { collectMarkedRows, intersectRows } from './posting-lists.js';
import type { Section } from './section.js';
import { SortedWordDictionary } from './sorted-words.js';

/** What a body must contain: these words one after the other. `isPrefix`: words that start with them. */
export interface SoughtWords {
  readonly words: readonly Uint8Array[];
  readonly isPrefix: boolean;
}

/** The words with digits of a block; not read if no sought word can be one. */
export interface RowValues {
  readonly values: Section;
  readonly bodyRows: Section;
}

/** True if only the values of rows tell which rows have the words. */
export function needsValues({ words, isPrefix }: SoughtWords): boolean {
  return isPrefix || words.some(hasDigit);
}

/**
 * Rows whose body has the words one after the other. Of rows whose words have no order (see RowWords), those that have
 * all of the words.
 */
export function findRowsWithSequence(
  shapes: Section,
  rowValues: RowValues | undefined,
  sought: SoughtWords,
): Uint16Array {
  const search = new ShapeSearch(shapes, rowValues);
  const rows = search.find(sought);
  if (sought.words.length === 1 || !search.hasUnordered) return rows;
  let unordered = findUnorderedRows(shapes);
  for (const word of sought.words) unordered = intersectRows(unordered, search.find({ ...sought, words: [word] }));
  return mergeRows(rows, unordered);
}

/** Rows whose words have no order. */
export function findUnorderedRows(shapes: Section): Uint16Array {
  const marks = Uint8Array.from(firstSymbols(shapes), (symbol) => (symbol === UNORDERED_SYMBOL ? 1 : 0));
  return collectMarkedRows(Uint8Array.from(shapes.uint16(ROW_SHAPES), (shape) => marks[shape]));
}

function firstSymbols(shapes: Section): Uint32Array {
  const symbols = shapes.uint32(SHAPE_SYMBOLS);
  const ends = shapeEnds(shapes);
  return ends.map((end, shape) => {
    const from = shape === 0 ? 0 : ends[shape - 1];
    return from < end ? symbols[from] : VALUE_SYMBOL;
  });
}

/** Indexes [from, to) of the words, and of the words with digits, that a sought word may be. */
interface WordRange {
  readonly fromSymbol: number;
  readonly toSymbol: number;
  readonly fromValue: number;
  readonly toValue: number;
}

/** A place where the words may be in a shape: the values there must be in these ranges. */
interface ValueCondition {
  /** Number of the value in the row. */
  readonly value: number;
  readonly range: WordRange;
}

/** What a shape tells about its rows; 0: none has the words. */
const EVERY_ROW = 1;
const SOME_ROWS = 2;

/** Compares sought words with the shapes of a block, and values only where a shape leaves it open. */
class ShapeSearch {
  private readonly words: SortedWordDictionary;
  private readonly values: SortedWordDictionary | undefined;
  private readonly symbols: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly rowShapes: Uint16Array;

  constructor(
    shapes: Section,
    private readonly rowValues: RowValues | undefined,
  ) {
    this.words = new SortedWordDictionary(shapes);
    this.values = rowValues && new SortedWordDictionary(rowValues.values);
    this.symbols = shapes.uint32(SHAPE_SYMBOLS);
    this.ends = shapeEnds(shapes);
    this.rowShapes = shapes.uint16(ROW_SHAPES);
  }

  get hasUnordered(): boolean {
    return this.symbols.includes(UNORDERED_SYMBOL);
  }

  find(sought: SoughtWords): Uint16Array {
    const ranges = sought.words.map((word) => this.findRange(word, sought.isPrefix));
    if (ranges.some(isEmpty)) return new Uint16Array(0);
    const verdicts = new Uint8Array(this.ends.length);
    const open = new Map<number, ValueCondition[][]>();
    for (let shape = 0; shape < verdicts.length; shape++) {
      const places = this.findPlaces(shape, ranges);
      if (places === undefined) continue;
      verdicts[shape] = places.some((conditions) => conditions.length === 0) ? EVERY_ROW : SOME_ROWS;
      if (verdicts[shape] === SOME_ROWS) open.set(shape, places);
    }
    return this.collectRows(verdicts, open);
  }

  private findRange(word: Uint8Array, isPrefix: boolean): WordRange {
    const [from, to] = this.words.range(word, isPrefix);
    const [fromValue, toValue] = this.values?.range(word, isPrefix) ?? [0, 0];
    return { fromSymbol: FIRST_WORD_SYMBOL + from, toSymbol: FIRST_WORD_SYMBOL + to, fromValue, toValue };
  }

  /** The places in the shape where the words may be; undefined if there is none. */
  private findPlaces(shape: number, ranges: readonly WordRange[]): ValueCondition[][] | undefined {
    const { symbols, ends } = this;
    let places: ValueCondition[][] | undefined;
    let value = 0;
    for (let at = shape === 0 ? 0 : ends[shape - 1]; at + ranges.length <= ends[shape]; at++) {
      if (this.mayStart(at, ranges)) (places ??= []).push(this.conditionsAt(at, value, ranges));
      if (symbols[at] === VALUE_SYMBOL) value++;
    }
    return places;
  }

  private mayStart(at: number, ranges: readonly WordRange[]): boolean {
    for (let i = 0; i < ranges.length; i++) {
      const symbol = this.symbols[at + i];
      const { fromSymbol, toSymbol, fromValue, toValue } = ranges[i];
      if (symbol === VALUE_SYMBOL ? fromValue === toValue : symbol < fromSymbol || symbol >= toSymbol) return false;
    }
    return true;
  }

  /** `value`: number of the first value from `at` on. */
  private conditionsAt(at: number, value: number, ranges: readonly WordRange[]): ValueCondition[] {
    const conditions: ValueCondition[] = [];
    ranges.forEach((range, i) => {
      if (this.symbols[at + i] === VALUE_SYMBOL) conditions.push({ value: value + conditions.length, range });
    });
    return conditions;
  }

  private collectRows(verdicts: Uint8Array, open: ReadonlyMap<number, ValueCondition[][]>): Uint16Array {
    const { rowShapes } = this;
    const marks = new Uint8Array(rowShapes.length);
    for (let row = 0; row < marks.length; row++) marks[row] = verdicts[rowShapes[row]] === EVERY_ROW ? 1 : 0;
    if (open.size > 0) this.markByValues(marks, open);
    return collectMarkedRows(marks);
  }

  private markByValues(marks: Uint8Array, open: ReadonlyMap<number, ValueCondition[][]>): void {
    const { rowShapes } = this;
    const values = this.rowValues!.bodyRows.uint32(0);
    const counts = this.countValues();
    for (let row = 0, from = 0; row < marks.length; from += counts[rowShapes[row++]]) {
      const places = open.get(rowShapes[row]);
      if (places?.some((conditions) => conditions.every((condition) => meets(values, from, condition)))) marks[row] = 1;
    }
  }

  /** Number of values of a row, by shape. */
  private countValues(): Uint32Array {
    return this.ends.map((end, shape) => {
      let count = 0;
      for (let at = shape === 0 ? 0 : this.ends[shape - 1]; at < end; at++)
        if (this.symbols[at] === VALUE_SYMBOL) count++;
      return count;
    });
  }
}

function meets(values: Uint32Array, from: number, { value, range }: ValueCondition): boolean {
  const found = values[from + value];
  return found >= range.fromValue && found < range.toValue;
}

function isEmpty({ fromSymbol, toSymbol, fromValue, toValue }: WordRange): boolean {
  return fromSymbol === toSymbol && fromValue === toValue;
}

/** Rows of either list, ascending. */
function mergeRows(a: Uint16Array, b: Uint16Array): Uint16Array {
  return Uint16Array.from(new Set([...a, ...b])).sort();
}
