import { isCommon } from './common-words.js';
import { LEXICON, type Concept } from './lexicon.js';
import type { Token } from './tokens.js';

/** Words that ask for metrics in general, and tell nothing about which. */
const GENERAL = new Set(['metric', 'metrics', 'chart', 'charts', 'dashboard', 'dashboards', 'gauge', 'gauges', 'counter', 'counters', 'plot', 'histogram', 'graph', 'graphs', 'usage', 'consumption']);
const TELLING: readonly Concept[] = ['metrics', 'latency', 'errors', 'requests', 'logs', 'pressure'];
const KNOWN = new Set<string>(TELLING.flatMap((concept) => [...LEXICON[concept]].flatMap((phrase) => phrase.split(' '))).filter((word) => !isCommon(word)));

/** What a chart should show: words of what can be measured, and words that nobody else knows. */
export function chartWordsIn(tokens: readonly Token[], names: ReadonlySet<number>): string[] {
  const known = new Set<string>(Object.values(LEXICON).flatMap((phrases) => [...phrases]));
  return tokens.filter(({ word }, at) => !names.has(at) && !GENERAL.has(word) && (KNOWN.has(word) || (!isCommon(word) && !known.has(word)))).map(({ word }) => word);
}
