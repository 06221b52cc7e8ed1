import { doubleCapacity } from '../../telemetry/columns/column-capacity.js';
import { StringInterner } from '../../telemetry/columns/string-interner.js';
import { type Section, SectionWriter } from './section.js';
import { orderByBytes, SortedWordDictionary, wordHash, writeSortedWords } from './sorted-words.js';
import { asBytes } from './uint32-words.js';

/*
 * The words of log bodies, in their order. Words with a digit vary from record to record; what remains of a body
 * without them is its shape, and bodies have few shapes. A block has the distinct shapes, the shape of each row, and for
 * each row the words with digits (its values). So a phrase is compared with shapes, not with rows.
 */

/** The words without digits, the shapes, and the shape of each row. */
export const BODY_SHAPES_BLOB = 'body-shapes';
/** The distinct words with digits. */
export const BODY_VALUES_BLOB = 'body-values';
/** The words with digits of each row. */
export const BODY_ROWS_BLOB = 'body-rows';

/** Parts of the shapes after the two of their dictionary. */
export const SHAPE_LENGTHS = 2;
export const SHAPE_SYMBOLS = 3;
export const ROW_SHAPES = 4;

/** Symbols of a shape: a word with a digit; the mark of bodies without order, always first; other words. */
export const VALUE_SYMBOL = 0;
export const UNORDERED_SYMBOL = 1;
export const FIRST_WORD_SYMBOL = 2;

/** Words in the bodies of rows: those of row i are `wordIds[wordEnd[i−1], wordEnd[i])`. */
export interface RowWords {
  readonly wordEnd: Uint32Array;
  readonly wordIds: Uint32Array;
  /** 1 if the words of the body are distinct, and their order is not that of the body: it has too many. */
  readonly unordered: Uint8Array;
  readonly words: StringInterner;
}

export interface EncodedBodies {
  readonly blobs: Readonly<Record<string, Uint8Array>>;
  /** Hash of each distinct word, for a Bloom filter. */
  readonly hashes: Uint32Array;
  /** Number of rows whose words have no order. */
  readonly unordered: number;
}

export function encodeBodies(source: RowWords, rows: Uint32Array): EncodedBodies {
  const { texts, words, values, codes } = numberWords(source, rows);
  const shapes = new ShapeTable(rows.length);
  let unordered = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (source.unordered[row] === 1) unordered++;
    shapes.begin(source.unordered[row] === 1);
    for (let w = row === 0 ? 0 : source.wordEnd[row - 1]; w < source.wordEnd[row]; w++)
      shapes.add(codes[source.wordIds[w]]);
    shapes.finishRow(i);
  }
  return {
    blobs: {
      [BODY_SHAPES_BLOB]: shapes.write(writeSortedWords(new SectionWriter('text'), words)).finish(),
      [BODY_VALUES_BLOB]: writeSortedWords(new SectionWriter('text'), values).finish(),
      [BODY_ROWS_BLOB]: new SectionWriter().numbers(shapes.takeValues()).finish(),
    },
    hashes: Uint32Array.from(texts, wordHash),
    unordered,
  };
}

/** True for words that vary from record to record. Decides only how a word is stored. */
export function hasDigit(word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (word[i] >= 0x30 && word[i] <= 0x39) return true;
  return false;
}

interface NumberedWords {
  /** The distinct words of the rows, in no particular order. */
  readonly texts: readonly Buffer[];
  /** Those without digits and those with digits, sorted by their bytes. */
  readonly words: readonly Buffer[];
  readonly values: readonly Buffer[];
  /** By id of a word: its index in `words`, or −1 minus its index in `values`. */
  readonly codes: Int32Array;
}

function numberWords({ wordEnd, wordIds, words: interner }: RowWords, rows: Uint32Array): NumberedWords {
  const codes = new Int32Array(interner.size);
  const seen = new Uint8Array(interner.size);
  const ids: { words: number[]; values: number[] } = { words: [], values: [] };
  const texts: { words: Buffer[]; values: Buffer[] } = { words: [], values: [] };
  for (let i = 0; i < rows.length; i++) {
    for (let w = rows[i] === 0 ? 0 : wordEnd[rows[i] - 1]; w < wordEnd[rows[i]]; w++) {
      const id = wordIds[w];
      if (seen[id] === 1) continue;
      seen[id] = 1;
      const text = Buffer.from(interner.text(id));
      const kind = hasDigit(text) ? 'values' : 'words';
      ids[kind].push(id);
      texts[kind].push(text);
    }
  }
  const orders = { words: orderByBytes(texts.words), values: orderByBytes(texts.values) };
  orders.words.forEach((n, index) => (codes[ids.words[n]] = index));
  orders.values.forEach((n, index) => (codes[ids.values[n]] = -1 - index));
  return {
    texts: [...texts.words, ...texts.values],
    words: Array.from(orders.words, (n) => texts.words[n]),
    values: Array.from(orders.values, (n) => texts.values[n]),
    codes,
  };
}

const INITIAL_CAPACITY = 256;

/** Numbers the distinct shapes of rows in the order of their first row. */
class ShapeTable {
  /** Shapes by the bytes of their symbols. */
  private readonly sequences = new StringInterner();
  private readonly rowShapes: Uint16Array;
  private readonly lengths: number[] = [];
  private symbols = new Uint32Array(INITIAL_CAPACITY);
  private symbolCount = 0;
  private values = new Uint32Array(INITIAL_CAPACITY);
  private valueCount = 0;
  private current = new Uint32Array(INITIAL_CAPACITY);
  private currentBytes = asBytes(this.current);
  private length = 0;

  constructor(rows: number) {
    this.rowShapes = new Uint16Array(rows);
  }

  begin(isUnordered: boolean): void {
    this.length = 0;
    if (isUnordered) this.current[this.length++] = UNORDERED_SYMBOL;
  }

  add(code: number): void {
    if (this.length === this.current.length) this.growCurrent();
    this.current[this.length++] = code < 0 ? VALUE_SYMBOL : FIRST_WORD_SYMBOL + code;
    if (code >= 0) return;
    if (this.valueCount === this.values.length) this.values = doubleCapacity(this.values);
    this.values[this.valueCount++] = -1 - code;
  }

  finishRow(row: number): void {
    const shape = this.sequences.intern(this.currentBytes, 0, this.length * 4);
    this.rowShapes[row] = shape;
    if (shape < this.lengths.length) return;
    this.lengths.push(this.length);
    while (this.symbolCount + this.length > this.symbols.length) this.symbols = doubleCapacity(this.symbols);
    this.symbols.set(this.current.subarray(0, this.length), this.symbolCount);
    this.symbolCount += this.length;
  }

  write(writer: SectionWriter): SectionWriter {
    return writer
      .numbers(Uint32Array.from(this.lengths))
      .numbers(this.symbols, this.symbolCount)
      .numbers(this.rowShapes);
  }

  takeValues(): Uint32Array {
    return this.values.subarray(0, this.valueCount);
  }

  private growCurrent(): void {
    this.current = doubleCapacity(this.current);
    this.currentBytes = asBytes(this.current);
  }
}

/** Decodes all words of all rows. */
export function decodeBodies(shapes: Section, values: Section, bodyRows: Section, into: StringInterner): RowWords {
  const wordIds = internAll(new SortedWordDictionary(shapes), into);
  const valueIds = internAll(new SortedWordDictionary(values), into);
  const rowValues = bodyRows.uint32(0);
  const rowShapes = shapes.uint16(ROW_SHAPES);
  const symbols = shapes.uint32(SHAPE_SYMBOLS);
  const ends = shapeEnds(shapes);
  const decoded = new WordColumns(rowShapes.length);
  let value = 0;
  for (let row = 0; row < rowShapes.length; row++) {
    const shape = rowShapes[row];
    for (let at = shape === 0 ? 0 : ends[shape - 1]; at < ends[shape]; at++) {
      const symbol = symbols[at];
      if (symbol === UNORDERED_SYMBOL) decoded.unordered[row] = 1;
      else decoded.add(symbol === VALUE_SYMBOL ? valueIds[rowValues[value++]] : wordIds[symbol - FIRST_WORD_SYMBOL]);
    }
    decoded.wordEnd[row] = decoded.count;
  }
  return { wordEnd: decoded.wordEnd, wordIds: decoded.take(), unordered: decoded.unordered, words: into };
}

/** Where the symbols of each shape end. */
export function shapeEnds(shapes: Section): Uint32Array {
  const ends = shapes.uint32(SHAPE_LENGTHS);
  for (let shape = 1; shape < ends.length; shape++) ends[shape] += ends[shape - 1];
  return ends;
}

function internAll(dictionary: SortedWordDictionary, into: StringInterner): Uint32Array {
  return Uint32Array.from({ length: dictionary.size }, (_, i) => {
    const word = dictionary.word(i);
    return into.intern(word, 0, word.length);
  });
}

class WordColumns {
  readonly wordEnd: Uint32Array;
  readonly unordered: Uint8Array;
  count = 0;
  private ids = new Uint32Array(INITIAL_CAPACITY);

  constructor(rows: number) {
    this.wordEnd = new Uint32Array(rows);
    this.unordered = new Uint8Array(rows);
  }

  add(id: number): void {
    if (this.count === this.ids.length) this.ids = doubleCapacity(this.ids);
    this.ids[this.count++] = id;
  }

  take(): Uint32Array {
    return this.ids.slice(0, this.count);
  }
}
