import type { ExtractedNames } from '../entities/service-name-extractor.js';
import type { WordToken } from '../lexicon/tokenizer.js';

const OBSERVED = /^(?:seen|perceived|observed|measured|experienced|reported)$/;

/**
 * The calls between two services that a question names, as the text says them: "from checkout to payment", "payment as
 * seen by checkout". Undefined for services named side by side.
 */
export function findNamedCalls(
  text: string,
  tokens: readonly WordToken[],
  { mentions }: ExtractedNames,
): string | undefined {
  for (const [at, { tokens: second }] of mentions.entries()) {
    const first = mentions[at - 1]?.tokens;
    if (first === undefined) continue;
    const [start, end] = [Math.min(...first), Math.max(...second)];
    const between = tokens.slice(Math.max(...first) + 1, Math.min(...second)).map(({ word }) => word);
    if (isTowards(between) || isCaller(between, tokens[start - 1]?.word))
      return text.slice(tokens[start].from, tokens[end].to);
  }
  return undefined;
}

/** `checkout to payment`, `checkout towards the payment`. */
function isTowards(between: readonly string[]): boolean {
  return /^(?:to|into|towards?|onto)(?: the)?$/.test(between.join(' '));
}

/** `payment as seen by checkout`, `requests to payment from checkout`. */
function isCaller(between: readonly string[], before = ''): boolean {
  const last = between.filter((word) => word !== 'the').at(-1) ?? '';
  return last === 'by' || (last === 'from' && before === 'to') || between.some((word) => OBSERVED.test(word));
}
