/** A block of an answer. Its content is plain text and never interpreted as markup. */
export type AnswerBlock =
  | { readonly kind: 'heading' | 'paragraph'; readonly text: string }
  | { readonly kind: 'bullets' | 'numbers'; readonly items: readonly string[] }
  /** Preformatted lines: code and tables. */
  | { readonly kind: 'plain'; readonly text: string };

const HEADING = /^#{1,6}\s+(.*)$/;
const BULLET = /^\s*[-*•]\s+(.*)$/;
const NUMBER = /^\s*\d{1,3}[.)]\s+(.*)$/;
const FENCE = /^\s*```/;
const TABLE = /^\s*\|/;

/** Parses the Markdown of an answer: headings, lists, tables and code; everything else becomes paragraphs. */
export function parseBlocks(answer: string): readonly AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  const lines = answer.split(/\r?\n/);
  for (let at = 0; at < lines.length;) {
    const [block, next] = parseBlock(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

function parseBlock(lines: readonly string[], at: number): readonly [AnswerBlock | undefined, number] {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [undefined, at + 1];
  const heading = HEADING.exec(line);
  if (heading !== null) return [{ kind: 'heading', text: heading[1] ?? '' }, at + 1];
  if (FENCE.test(line)) return parseFencedCode(lines, at + 1);
  if (BULLET.test(line)) return parseList(lines, at, BULLET, 'bullets');
  if (NUMBER.test(line)) return parseList(lines, at, NUMBER, 'numbers');
  const isTable = TABLE.test(line);
  const end = findBlockEnd(lines, at, (each) => (isTable ? TABLE.test(each) : isParagraphLine(each)));
  return [{ kind: isTable ? 'plain' : 'paragraph', text: lines.slice(at, end).join('\n') }, end];
}

/** An unclosed fence extends to the end of the answer. */
function parseFencedCode(lines: readonly string[], at: number): readonly [AnswerBlock, number] {
  const end = findBlockEnd(lines, at, (line) => !FENCE.test(line));
  return [{ kind: 'plain', text: lines.slice(at, end).join('\n') }, end + 1];
}

function parseList(
  lines: readonly string[],
  at: number,
  pattern: RegExp,
  kind: 'bullets' | 'numbers',
): readonly [AnswerBlock, number] {
  const end = findBlockEnd(lines, at, (line) => pattern.test(line));
  return [{ kind, items: lines.slice(at, end).map((line) => pattern.exec(line)?.[1] ?? '') }, end];
}

function findBlockEnd(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  const next = lines.findIndex((line, index) => index >= at && !belongs(line));
  return next === -1 ? lines.length : next;
}

const isParagraphLine = (line: string): boolean =>
  line.trim() !== '' && ![HEADING, BULLET, NUMBER, FENCE, TABLE].some((pattern) => pattern.test(line));

export interface InlineSegment {
  readonly kind: 'text' | 'strong' | 'code';
  readonly text: string;
}

/** Splits a text into plain, strong and code segments. */
export function parseInlineSegments(text: string): readonly InlineSegment[] {
  return text
    .split(/(\*\*[^*\n]+\*\*|`[^`\n]+`)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.length > 4 && part.startsWith('**') && part.endsWith('**'))
        return { kind: 'strong', text: part.slice(2, -2) };
      return part.length > 2 && part.startsWith('`') && part.endsWith('`')
        ? { kind: 'code', text: part.slice(1, -1) }
        : { kind: 'text', text: part };
    });
}
