import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const SOURCES = fileURLToPath(new URL('../../../src', import.meta.url));
/** As long as a prompt may be; names and headers that are matched are shorter. */
const LENGTH = 4_000;
/** Longer questions are refused before they are read. */
const QUESTION_LENGTH = 1_000;
/** For one expression and one text (reliability-security.md, ReDoS), with room for a busy machine. */
const BOUND_MS = 250;
/** A collection of garbage or a compilation may fall into one measurement, not into each of several. */
const TRIES = 5;

const GRID = '6b1e3f0a-0000-4000-8000-000000000001';

interface Found {
  readonly at: string;
  readonly expression: RegExp;
}

/** Every regular expression that is written out in the program. */
function literalsOf(file: string): Found[] {
  const found: Found[] = [];
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, pattern = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ at: `${file.slice(SOURCES.length + 1)}:${line + 1}`, expression: new RegExp(pattern, flags) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Long runs of each sign that stands in the expression, and of what its classes mean, which then end in something else. */
function attacks({ source }: RegExp, length: number): string[] {
  const signs = new Set([...source.replace(/\\[a-zA-Z](\{[^}]*\})?/g, ''), 'a', 'A', '0', ' ', '\t', '_', '.', '"']);
  const words = source.match(/[a-zA-Z]{2,}/g) ?? [];
  const units = [
    ...signs,
    ...words,
    ...words.map((word) => `${word} `),
    '0.',
    'a ',
    '0 ',
    'a.',
    'a-',
    '1e',
    '"a',
    'a@',
    '\\"',
    '/a',
    '<a',
    ', ',
  ];
  return units.flatMap((unit) => {
    const run = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    return [`${run}\u0000`, `\u0000${run}\u0000`, `${words[0] ?? ''} ${run}!`];
  });
}

/** All of its matches where it is global, else the first. */
function apply(expression: RegExp, text: string): void {
  if (expression.global) text.replace(expression, '');
  else expression.test(text);
  expression.lastIndex = 0;
}

/** Processor time that matching takes: of several tries the shortest, once one went beyond the bound. */
function matchingMs(expression: RegExp, text: string): number {
  let shortest = Infinity;
  for (let tried = 0; tried < TRIES && shortest > BOUND_MS; tried++) {
    const begin = process.cpuUsage();
    apply(expression, text);
    const { user, system } = process.cpuUsage(begin);
    shortest = Math.min(shortest, (user + system) / 1000);
  }
  return shortest;
}

/** The expressions that need longer than the bound for one of their attacks. */
function listSlow(found: Iterable<Found>, length: number): string[] {
  const slow: string[] = [];
  for (const { at, expression } of found) {
    let longest = 0;
    for (const text of attacks(expression, length)) {
      longest = Math.max(longest, matchingMs(expression, text));
      if (longest > BOUND_MS) break;
    }
    if (longest > BOUND_MS) slow.push(`${at} ${expression}: ${longest.toFixed(0)} ms`);
  }
  return slow;
}

describe('regular expressions of the program', function () {
  this.timeout(240_000);
  const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => literalsOf(join(SOURCES, name)));

  it('are found', () => assert.ok(found.length > 150, `${found.length}`));

  it(`take less than ${BOUND_MS} ms for a text of ${LENGTH} characters that was made for them`, () =>
    assert.deepEqual(listSlow(found, LENGTH), []));
});

/** Records what the constructor of regular expressions is called with, by source and flags. */
function recordConstructed(built: Map<string, RegExp>): () => void {
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [pattern, flags]: [string | RegExp, string?]) {
      const expression = new target(pattern, flags);
      built.set(String(expression), new target(pattern, flags));
      return expression;
    },
  });
  return () => void (globalThis.RegExp = Original);
}

describe('regular expressions that the assistant puts together', function () {
  this.timeout(240_000);
  const built = new Map<string, RegExp>();

  before(async () => {
    const restore = recordConstructed(built);
    try {
      const [{ createAnalyst }, { shopQueries }, { NOW }, { DEVELOPMENT_QUESTIONS }] = await Promise.all([
        import('../../src/assistant/analyst/analyst.js'),
        import('../unit/assistant/shop-queries.js'),
        import('../unit/assistant/shop.js'),
        import('../../bench/assistant/development-questions.js'),
      ]);
      const analyst = createAnalyst(shopQueries({}).queries, { maxSources: 9 });
      const request = { gridId: GRID, userId: 'u-1', mayAdminister: true, turns: [], nowMs: NOW, maxSources: 9 };
      for (const { ask: text } of DEVELOPMENT_QUESTIONS)
        await analyst.answer({ ...request, text }, new AbortController().signal);
    } finally {
      restore();
    }
  });

  it('are recorded', () => assert.ok(built.size > 50, `${built.size}`));

  it(`take less than ${BOUND_MS} ms for a question of ${QUESTION_LENGTH} characters that was made for them`, () =>
    assert.deepEqual(
      listSlow(
        [...built.values()].map((expression) => ({ at: 'assistant', expression })),
        QUESTION_LENGTH,
      ),
      [],
    ));
});
