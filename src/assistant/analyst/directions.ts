import type { Token } from './tokens.js';

const VERBS = new Set(['call', 'calls', 'called', 'calling', 'use', 'uses', 'using', 'used', 'depend', 'depends', 'depending', 'dependent', 'rely', 'relies', 'talk', 'talks', 'talking', 'need', 'needs', 'connect', 'connects', 'connected', 'consume', 'consumes']);
const PRONOUNS = new Set(['it', 'this', 'that', 'them', 'they']);
const OF_CALLERS = new Set(['upstream', 'upstreams', 'callers', 'caller', 'dependents', 'consumers', 'blast', 'down', 'fails', 'breaks', 'dies']);
const OF_CALLEES = new Set(['downstream', 'downstreams', 'callees', 'dependency', 'dependencies', 'behind']);

/** Who is asked for: a name before the verb is the one that calls, a name behind it is called. */
export function directionIn(tokens: readonly Token[], names: ReadonlySet<number>): 'callers' | 'callees' | undefined {
  if (tokens.some(({ word }) => OF_CALLERS.has(word))) return 'callers';
  const verb = tokens.findIndex(({ word }) => VERBS.has(word));
  const subject = tokens.findIndex(({ word }, at) => names.has(at) || PRONOUNS.has(word));
  if (verb >= 0 && subject >= 0 && !isPassive(tokens)) return subject < verb ? 'callees' : 'callers';
  if (verb >= 0 && subject >= 0) return subject < verb ? 'callers' : 'callees';
  return tokens.some(({ word }) => OF_CALLEES.has(word)) ? 'callees' : undefined;
}

/** "Which services are called by checkout", "is redis used by anyone". */
function isPassive(tokens: readonly Token[]): boolean {
  return tokens.some(({ word }, at) => /^(called|used|needed|consumed)$/.test(word) && tokens[at + 1]?.word === 'by');
}
