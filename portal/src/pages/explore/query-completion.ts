import { isExpected } from '../../../../src/queries/query/language/expected-tokens.js';
import { parser } from '../../../../src/queries/query/language/where-grammar.generated.js';

/** What can be suggested where the caret stands. */
export interface CompletionPlace {
  /** Where the token begins that a suggestion replaces; it ends at the caret. */
  readonly from: number;
  /** What is typed of the token, without quotes. */
  readonly typed: string;
  readonly fields: boolean;
  readonly operators: boolean;
  readonly connectives: boolean;
  /** Field whose values can stand here. */
  readonly valuesOf: string | undefined;
}

/** Finds what the grammar allows at the caret. */
export function findCompletionPlace(text: string, caret: number): CompletionPlace {
  const head = text.slice(0, caret);
  const quote = findOpenQuote(head);
  const from = quote ?? caret - /[^\s"'`(),=!<>~]*$/.exec(head)![0].length;
  const before = head.slice(0, from);
  const typed = head.slice(quote === undefined ? from : from + 1);
  const isValue = isExpected(before, 'value') && !isExpected(before, 'condition');
  return {
    from,
    typed,
    fields: quote === undefined && !isValue && (isExpected(before, 'condition') || isExpected(before, 'field')),
    operators: quote === undefined && isExpected(before, 'operator'),
    connectives: quote === undefined && before.trim() !== '' && isExpected(before, 'connective'),
    valuesOf: isValue ? findComparedField(before) : undefined,
  };
}

/** Where a string or a quoted field begins that has no end. */
function findOpenQuote(text: string): number | undefined {
  let open: number | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (open === undefined) {
      if (`"'\``.includes(character)) open = at;
    } else if (character === '\\' && text[open] !== '`') at++;
    else if (character === text[open]) open = undefined;
  }
  return open;
}

/** The field of the comparison or list that ends with the text. */
function findComparedField(before: string): string | undefined {
  const completed = `${before} "x"`;
  let node = parser.parse(completed).resolveInner(completed.length, -1);
  while (node.name !== 'Comparison' && node.name !== 'Membership') {
    if (node.parent === null) return undefined;
    node = node.parent;
  }
  const field = node.getChild('Field');
  return field === null ? undefined : completed.slice(field.from, field.to).replaceAll('`', '');
}
