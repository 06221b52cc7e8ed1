import type { EventTime, QuestionCondition, QuestionMeasure } from './question-query.js';
import type { ComparisonSign } from './question-query.js';

/** A part of a question that was read, by kind. */
export interface ReadParts {
  readonly condition: QuestionCondition;
  /** A field of the query language. */
  readonly field: string;
  readonly bound: NumberBound;
  readonly measure: QuestionMeasure;
  /** A value whose field is not known yet. */
  readonly value: string;
  /** A service or dependency. */
  readonly name: string;
  readonly quoted: string;
  readonly time: EventTime;
}

export interface NumberBound {
  readonly bounds: readonly { readonly sign: ComparisonSign | '='; readonly amount: number }[];
  readonly unit: 'ms' | '%' | 'B' | '';
  /** The counted noun behind the number, if it has one: "more than 100 requests". */
  readonly noun?: string;
}

export type PartKind = keyof ReadParts;

const KINDS: readonly PartKind[] = ['condition', 'field', 'bound', 'measure', 'value', 'name', 'quoted', 'time'];
/** Marks are characters of the private use area: each kind has a range, in which the position of the part is its offset. */
const FIRST_MARK = 0xe000;
const PARTS_OF_KIND = 0x100;

/** Matches the mark of a part of the kind, for use in patterns. */
export const MARK: Readonly<Record<PartKind, string>> = Object.fromEntries(
  KINDS.map((kind, at) => [kind, `[${toChar(at, 0)}-${toChar(at, PARTS_OF_KIND - 1)}]`]),
) as Record<PartKind, string>;
export const ANY_MARK = `[${toChar(0, 0)}-${toChar(KINDS.length - 1, PARTS_OF_KIND - 1)}]`;

function toChar(kindAt: number, at: number): string {
  return String.fromCharCode(FIRST_MARK + kindAt * PARTS_OF_KIND + at);
}

/**
 * A question whose read parts are replaced by marks, so that what remains are the words that were not read. Patterns may
 * contain marks, and later steps read combinations of them.
 */
export class MarkedText {
  private readonly parts: { readonly [Kind in PartKind]: ReadParts[Kind][] } = {
    condition: [],
    field: [],
    bound: [],
    measure: [],
    value: [],
    name: [],
    quoted: [],
    time: [],
  };

  /** Words that a step has understood but that no query applies: they make the reading fail. */
  readonly faults: string[] = [];

  constructor(public text: string) {}

  /** The mark of a new part. */
  mark<Kind extends PartKind>(kind: Kind, part: ReadParts[Kind]): string {
    const list = this.parts[kind];
    if (list.length >= PARTS_OF_KIND) return ' ';
    list.push(part);
    return ` ${toChar(KINDS.indexOf(kind), list.length - 1)} `;
  }

  get<Kind extends PartKind>(kind: Kind, mark: string): ReadParts[Kind] {
    return this.parts[kind][mark.trim().charCodeAt(0) - FIRST_MARK - KINDS.indexOf(kind) * PARTS_OF_KIND];
  }

  /** Parts of the kind whose marks still stand in the text, in its order. */
  remaining<Kind extends PartKind>(kind: Kind): ReadParts[Kind][] {
    return [...this.text.matchAll(new RegExp(MARK[kind], 'g'))].map(([mark]) => this.get(kind, mark));
  }

  /** Replaces each match of a global pattern by what the handler returns; undefined leaves it as it is. */
  take(
    pattern: RegExp,
    handle: (groups: Readonly<Record<string, string | undefined>>, found: string) => string | undefined,
  ): void {
    this.text = this.text.replace(pattern, (found: string, ...rest: unknown[]) => {
      const groups = rest.at(-1);
      return handle(typeof groups === 'object' ? (groups as Record<string, string | undefined>) : {}, found) ?? found;
    });
  }

  has(pattern: RegExp): boolean {
    return pattern.test(this.text);
  }
}
