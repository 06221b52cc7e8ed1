import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { extractServiceNames } from '../entities/service-name-extractor.js';
import { isLexiconWord } from '../lexicon/concept-extractor.js';
import { isStopWord, tokenize } from '../lexicon/tokenizer.js';
import { isWordOfAnyName, singularize } from '../lexicon/word-matching.js';
import { isFunctionWord } from '../lexicon/function-words.js';
import { isNamedBy } from '../entities/operation-extractor.js';
import { MARK, type MarkedText } from './marked-text.js';

/** Asks about a dependency itself: "calls to orders". Otherwise "orders" are those that `POST /orders` handles. */
const CALLED =
  /\b(?:calls?|called|calling|queues?|topics?|publish\w*|messages?|consum\w*|depend\w*|brokers?|exchanges?|talks?|uses?|used|using|quer(?:y|ies))\b/;

/** Names of operations, services and dependencies as they are written; the longest first. */
export function readExactNames(text: MarkedText, { services, dependencies, operations }: EntityVocabulary): void {
  const written = text.text.toLowerCase();
  const isWritten = (name: string): boolean => written.includes(name.toLowerCase());
  for (const operation of byLength(operations.filter((name) => isWritten(name) && isDistinctiveOperation(name))))
    text.take(exactly(operation, /[\s/]/.test(operation) ? 'gi' : 'g'), () =>
      text.mark('condition', { kind: 'in', field: 'operation', values: [operation] }),
    );
  const isCalled = CALLED.test(written);
  for (const name of byLength([...services, ...dependencies].filter(isWritten))) {
    const handling =
      services.includes(name) || isCalled ? [] : operations.filter((each) => isNamedBy(singularize(name), each));
    text.take(exactly(name, 'gi'), () =>
      handling.length === 1
        ? text.mark('condition', { kind: 'in', field: 'operation', values: handling })
        : text.mark('name', name),
    );
  }
  readServiceNoun(text);
}

/** Names by parts of them, or misspelled: "redis" for `cart-redis`. A word that may mean several stays unread. */
export function readPartialNames(text: MarkedText, { services, dependencies, operations }: EntityVocabulary): void {
  const tokens = tokenize(text.text).filter(({ word }) => !isFunctionWord(word) || services.includes(word));
  const { mentions } = extractServiceNames(tokens, services, dependencies, operations);
  const found = mentions.map(({ name, tokens: at }) => {
    const words = at.map((index) => tokens[index]);
    return { name, from: Math.min(...words.map(({ from }) => from)), to: Math.max(...words.map(({ to }) => to)) };
  });
  for (const { name, from, to } of found.sort((a, b) => b.from - a.from)) {
    if (new RegExp(MARK.condition).test(text.text.slice(from, to))) continue;
    text.text = text.text.slice(0, from) + text.mark('name', name) + text.text.slice(to);
  }
  readServiceNoun(text);
}

/** "Logins" is `POST /login` where no other operation has the word; what stands beside a value is no operation. */
export function readOperationWords(text: MarkedText, { operations }: EntityVocabulary): readonly string[] {
  const found: string[] = [];
  text.take(/(?<![\w./-])[a-z]{4,}(?![\w/-]|\.\w)/g, (_, word) => {
    if (isFunctionWord(word) || isStopWord(word) || isLexiconWord(word)) return undefined;
    const having = operations.filter((each) => isWordOfAnyName(singularize(word), [each]));
    const named = having.length > 1 ? having.filter((each) => isNamedBy(singularize(word), each)) : having;
    const [operation, ...others] = named;
    if (operation === undefined || others.length > 0) return undefined;
    found.push(operation);
    return text.mark('condition', { kind: 'in', field: 'operation', values: [operation] });
  });
  return found;
}

/** "the payment service" is payment. */
function readServiceNoun(text: MarkedText): void {
  text.take(
    new RegExp(String.raw`(?<=${MARK.name}\s*)\b(?:micro)?service(?:'s)?\b|(?<=\bservice\s+called\s+)`, 'gi'),
    () => ' ',
  );
  text.take(new RegExp(String.raw`\bservice\s+(?=${MARK.name})`, 'gi'), () => ' ');
  text.take(new RegExp(String.raw`(?<=${MARK.name}\s*)'s\b`, 'gi'), () => ' ');
}

function isDistinctiveOperation(operation: string): boolean {
  return /[\s/.:]/.test(operation) || /\p{Lu}/u.test(operation);
}

function byLength(names: readonly string[]): readonly string[] {
  return [...names].sort((a, b) => b.length - a.length);
}

function exactly(name: string, flags: string): RegExp {
  return new RegExp(String.raw`(?<![\w./{}-])${escapePattern(name)}(?![\w/{}-]|\.\w)`, flags);
}

function escapePattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
