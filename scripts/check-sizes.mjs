/**
 * The ratchet on sizes: long files and functions are refused before they become normal.
 * A function counts with everything inside it, from its first to its last line; anonymous callbacks count
 * to the function around them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIMITS = { file: { p95: 300, max: 400 }, function: { p95: 40, max: 80 } };

function sourcesOf(folder) {
  const files = readdirSync(join(ROOT, folder), { recursive: true });
  return files.filter((file) => /(?<!\.d)\.tsx?$/.test(file)).map((file) => join(folder, file));
}

function parse(file) {
  return ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
}

const lineOf = (source, offset) => source.getLineAndCharacterOfPosition(offset).line + 1;
const linesOf = (source, node) => lineOf(source, node.end) - lineOf(source, node.getStart(source)) + 1;

/** Line of the last character that is not the closing line feed. */
function fileSize(source) {
  return { name: source.fileName, lines: lineOf(source, source.text.trimEnd().length) };
}

/** Declarations, methods, accessors, constructors, and functions that are bound to a name. */
function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (!ts.isFunctionLike(node) || node.body === undefined) return undefined;
  const bound =
    ts.isVariableDeclaration(node.parent) ||
    ts.isPropertyAssignment(node.parent) ||
    ts.isPropertyDeclaration(node.parent);
  const name = node.name ?? (bound ? node.parent.name : undefined);
  return name?.getText();
}

function functionSizes(source) {
  const sizes = [];
  const visit = (node) => {
    const name = nameOf(node);
    if (name !== undefined && node.body !== undefined)
      sizes.push({ name: `${source.fileName} ${name}`, lines: linesOf(source, node) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sizes;
}

/** Nearest-rank percentile of ascending sizes. */
const rank = (sizes, p) => sizes[Math.max(0, Math.ceil(p * sizes.length) - 1)]?.lines ?? 0;

function judge(kind, sizes) {
  const ascending = sizes.toSorted((a, b) => a.lines - b.lines);
  const row = { number: sizes.length, p50: rank(ascending, 0.5), p95: rank(ascending, 0.95), max: rank(ascending, 1) };
  const limit = LIMITS[kind];
  const tooLong = ascending
    .filter((size) => size.lines > limit.max)
    .map((size) => `${size.name} has ${size.lines} lines, at most ${limit.max} are allowed: split it`);
  const common =
    row.p95 > limit.p95
      ? [
          `one ${kind} in twenty is longer than ${limit.p95} lines (p95 is ${row.p95}): split the longest: ${ascending
            .slice(-3)
            .map((size) => size.name)
            .join(', ')}`,
        ]
      : [];
  return { row, faults: [...tooLong, ...common] };
}

const sources = sourcesOf('src').map(parse);
const files = judge('file', sources.map(fileSize));
const functions = judge('function', sources.flatMap(functionSizes));

console.table({ 'lines of a file': files.row, 'lines of a function': functions.row });
for (const fault of [...files.faults, ...functions.faults]) console.error(fault);
process.exitCode = files.faults.length + functions.faults.length > 0 ? 1 : 0;
