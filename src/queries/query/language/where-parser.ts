import type { SyntaxNode } from '@lezer/common';
import { parseTextQuery } from '../../../telemetry/full-text.js';
import { describeField, isScopeMember, resolveField } from '../field-catalogue.js';
import type { ComparisonOperator, FieldReference, Literal, Predicate, QuerySignal } from '../query-model.js';
import { PatternChecker } from './linear-pattern.js';
import { isInvalidLiteral, readAttributeLiteral, readLiteral, selectOrdered } from './literals.js';
import { parser } from './where-grammar.generated.js';
import { describeFault, findSyntaxFault } from './expected-tokens.js';

/** A fault of a condition; `position` counts characters from 1. */
export interface WhereFault {
  readonly position: number;
  readonly message: string;
}

export type ParsedWhere = { readonly predicate: Predicate | undefined } | { readonly fault: WhereFault };

/** Deepest nesting of a condition. */
const MAX_DEPTH = 64;

/** Parses the condition of a query. A blank text has no predicate: every record meets it. */
export function parseWhere(signal: QuerySignal, text: string): ParsedWhere {
  try {
    return { predicate: new WhereReader(signal, text).read() };
  } catch (error) {
    if (error instanceof WhereError) return { fault: error.fault };
    throw error;
  }
}

/** Ends the reading of a condition at its first fault. */
class WhereError extends Error {
  constructor(readonly fault: WhereFault) {
    super(fault.message);
  }
}

/** Converts the syntax tree of a condition into a predicate. Throws WhereError. */
class WhereReader {
  private readonly patterns = new PatternChecker();

  constructor(
    private readonly signal: QuerySignal,
    private readonly source: string,
  ) {}

  read(): Predicate | undefined {
    const fault = findSyntaxFault(this.source);
    if (fault !== undefined) this.fail(fault.offset, fault.message);
    const tree = parser.parse(this.source);
    const expression = tree.topNode.firstChild;
    return expression === null ? undefined : this.readExpression(expression, 0);
  }

  private readExpression(node: SyntaxNode, depth: number): Predicate {
    if (depth > MAX_DEPTH) this.fail(node.from, `expected at most ${MAX_DEPTH} levels of conditions`);
    switch (node.name) {
      case 'Disjunction':
        return { kind: 'any', terms: this.readTerms(node, depth) };
      case 'Conjunction':
        return { kind: 'all', terms: this.readTerms(node, depth) };
      case 'Negation':
        return { kind: 'not', term: this.readTerms(node, depth)[0] };
      case 'Group':
        return this.readTerms(node, depth)[0];
      case 'Comparison':
        return this.readComparison(node);
      case 'Membership':
        return this.readMembership(node);
      case 'Existence':
        return { kind: 'exists', field: this.readField(node.getChild('Field')!) };
      default:
        return this.readText(node);
    }
  }

  /** Terms of nested nodes of the same kind in one list, so that long conditions do not nest deeply. */
  private readTerms(node: SyntaxNode, depth: number): Predicate[] {
    const terms: Predicate[] = [];
    const pending: SyntaxNode[] = [node];
    while (pending.length > 0) {
      const next = pending.pop()!;
      if (next === node || (next.name === node.name && isFlat(node.name)))
        pending.push(...listOperands(next).reverse());
      else terms.push(this.readExpression(next, depth + 1));
    }
    return terms;
  }

  private readComparison(node: SyntaxNode): Predicate {
    const field = this.readField(node.getChild('Field')!);
    const operator = this.getSourceText(node.getChild('Operator')!) as ComparisonOperator | '=~' | '!~';
    const value = node.getChild('Value')!;
    if (operator === '=~' || operator === '!~')
      return negateIf(operator === '!~', { kind: 'matches', field, pattern: this.readPattern(value) });
    const ordered = operator !== '=' && operator !== '!=';
    const literal = this.readValue(value, field, ordered);
    if (operator === '=' || operator === '!=')
      return negateIf(operator === '!=', { kind: 'in', field, values: [literal] });
    const { values, isOrdered } = describeField(this.signal, field);
    if (values !== undefined && isOrdered === true)
      return { kind: 'in', field, values: selectOrdered(values, operator, literal) };
    return { kind: 'compare', field, operator, value: literal };
  }

  private readMembership(node: SyntaxNode): Predicate {
    const field = this.readField(node.getChild('Field')!);
    const values = node.getChildren('Value').map((value) => this.readValue(value, field, false));
    return { kind: 'in', field, values };
  }

  private readText(node: SyntaxNode): Predicate {
    if (this.signal !== 'logs')
      this.fail(node.from, `expected a comparison: words without a field search log bodies, not ${this.signal}`);
    const quoted = node.firstChild?.name === 'String';
    const text = this.unquote(node.firstChild!);
    if (!quoted && text.startsWith('-')) this.fail(node.from, 'expected a word: write "not" to exclude one');
    if (isBlankSearch(text)) this.fail(node.from, 'expected a word with letters or digits');
    return { kind: 'text', text: quoted ? `"${text.replaceAll('"', ' ')}"` : text };
  }

  private readField(node: SyntaxNode): FieldReference {
    const text = this.unquote(node.firstChild!);
    const field = resolveField(this.signal, text);
    if (typeof field === 'string') this.fail(node.from, `the signal ${this.signal} ${field}`);
    return field;
  }

  private readValue({ from, firstChild }: SyntaxNode, field: FieldReference, ordered: boolean): Literal {
    const written = this.unquote(firstChild!);
    const value = {
      text: isId(field) ? written.toLowerCase() : written,
      quoted: firstChild!.name === 'String',
      ordered,
    };
    const literal =
      field.scope === 'intrinsic' || isScopeMember(field)
        ? readLiteral(value, describeField(this.signal, field))
        : readAttributeLiteral(value);
    if (isInvalidLiteral(literal)) this.fail(from, `expected ${literal.expected} for ${field.text}`);
    return literal;
  }

  private readPattern(node: SyntaxNode): string {
    const pattern = this.unquote(node.firstChild!);
    const fault = this.patterns.findFault(pattern);
    if (fault !== undefined) this.fail(node.from, `expected a regular expression (RE2): ${fault}`);
    return pattern;
  }

  private unquote(node: SyntaxNode): string {
    const text = this.getSourceText(node);
    if (node.name === 'QuotedField') return text.slice(1, -1);
    return node.name === 'String' ? text.slice(1, -1).replace(/\\(["'\\])/g, '$1') : text;
  }

  private getSourceText({ from, to }: SyntaxNode): string {
    return this.source.slice(from, to);
  }

  private fail(offset: number, message: string): never {
    const position = offset + 1;
    throw new WhereError({ position, message: describeFault({ offset, message }) });
  }
}

/** True if a search for the text would find everything, because it has no words. */
function isBlankSearch(text: string): boolean {
  const { words, prefixes, phrases } = parseTextQuery(text);
  return words.length + prefixes.length + phrases.length === 0;
}

const ID_NAMES: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId']);

/** True for ids of traces and spans, which records have in lower-case hex. */
function isId(field: FieldReference): boolean {
  return ID_NAMES.has(field.name) && (field.scope === 'intrinsic' || isScopeMember(field));
}

function negateIf(negated: boolean, term: Predicate): Predicate {
  return negated ? { kind: 'not', term } : term;
}

const OPERANDS = new Set([
  'Disjunction',
  'Conjunction',
  'Negation',
  'Group',
  'Comparison',
  'Membership',
  'Existence',
  'Text',
]);

function isFlat(name: string): boolean {
  return name === 'Disjunction' || name === 'Conjunction';
}

function listOperands(node: SyntaxNode): SyntaxNode[] {
  const operands: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (OPERANDS.has(child.name)) operands.push(child);
  return operands;
}
