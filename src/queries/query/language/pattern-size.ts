/** A Unicode class such as `\pL` has hundreds of ranges of characters. */
const UNICODE_CLASS = 10;
const REPEAT = /\{(\d+)(,(\d*))?\}/y;
/** Escapes of more than one letter: `\p{Greek}`, `\x{10FFFF}`, `\Qtext\E`. */
const ESCAPE = /\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|Q.*?(?:\\E|$)|.)/suy;
const CHARACTER_CLASS = /\[\^?\]?(?:\[:\^?\w+:\]|\\(?:[pP](?:\{[^}]*\}|.)|.)|[^\]\\])*\]?/suy;
const GROUP_START = /\((?:\?[^:>)]*[:>]?)?/y;

/** What a group has so far: all but its last part, and the last part, which may be repeated. */
interface Group {
  size: number;
  last: number;
}

/**
 * Upper bound of the number of states that a pattern has once its repeats are written out: `(a{10}b){20}` has 240. Its
 * automaton, and the time that it takes for each character of a text, grow with it.
 */
export function measurePattern(pattern: string): number {
  const groups: Group[] = [{ size: 0, last: 0 }];
  let at = 0;
  while (at < pattern.length) at = readPart(pattern, at, groups);
  return groups.reduce((sum, { size, last }) => sum + size + last, 0);
}

/** Reads the part that starts here; returns where the next one starts. */
function readPart(pattern: string, at: number, groups: Group[]): number {
  const group = groups[groups.length - 1];
  switch (pattern[at]) {
    case '(':
      groups.push({ size: 0, last: 0 });
      return at + measureLength(GROUP_START, pattern, at);
    case ')':
      if (groups.length > 1) addPart(groups[groups.length - 2], sumOf(groups.pop()!) + 2);
      return at + 1;
    case '*':
    case '+':
    case '?':
      group.last++;
      return at + 1;
    case '{':
      return readRepeat(pattern, at, group);
    case '[':
    case '\\': {
      const length = measureLength(pattern[at] === '[' ? CHARACTER_CLASS : ESCAPE, pattern, at);
      addPart(group, measureText(pattern.slice(at, at + length)));
      return at + length;
    }
    default:
      addPart(group, 1);
      return at + 1;
  }
}

/** Braces that are no repeat stand for themselves. */
function readRepeat(pattern: string, at: number, group: Group): number {
  REPEAT.lastIndex = at;
  const match = REPEAT.exec(pattern);
  if (match === null) {
    addPart(group, 1);
    return at + 1;
  }
  const [whole, least, range, most] = match;
  const times = range === undefined ? Number(least) : most === '' ? Number(least) + 1 : Number(most);
  group.last *= Math.max(1, times);
  return at + whole.length;
}

/** Size of a class of characters, an escape or a quotation. */
function measureText(text: string): number {
  if (text.startsWith('\\Q')) return text.length;
  return 1 + UNICODE_CLASS * (text.match(/\\[pP]/g)?.length ?? 0);
}

function addPart(group: Group, size: number): void {
  group.size += group.last;
  group.last = size;
}

function sumOf({ size, last }: Group): number {
  return size + last;
}

function measureLength(expression: RegExp, pattern: string, at: number): number {
  expression.lastIndex = at;
  return Math.max(1, expression.exec(pattern)?.[0].length ?? 1);
}
