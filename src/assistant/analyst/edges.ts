/** The one that came before all others, or after them. */
export type Edge = 'first' | 'last';

const FIRST = 'first|earliest|oldest|initial';
const LAST = 'last|latest|newest|(?:most\\s+)?recent|final';
/** One word may stand between, such as a name, but none that makes a time of it: "the last hour". */
const BETWEEN = '(?:(?!\\d|few\\b|couple\\b|(?:hour|minute|min|second|sec|day|week|month|night|year)s?\\b)[\\w-]+\\s+)?';
const ONE_FAILURE = '(?:errors?|failures?|exceptions?|crash|timeout|(?:failed|failing)\\s+(?:request|call|trace|transaction|order|checkout|payment|charge)|[\\w]+(?:exception|error))\\b(?!\\s+(?:rates?|logs?|count|message|entry|entries|line))';
const FIRST_FAILURE = new RegExp(`\\b(?:${FIRST})\\s+${BETWEEN}${ONE_FAILURE}`, 'i');
/** "The last errors" are several. */
const LAST_FAILURE = new RegExp(`\\b(?:${LAST})\\s+${BETWEEN}(?!errors|failures|exceptions)${ONE_FAILURE}`, 'i');

/** "When did payment last fail": nothing follows that would be what failed. */
const FAILS = '(?:fail(?:ed)?|err(?:ed)?|errored|crash(?:ed)?|br(?:eak|oke)|timed? out|(?:throw|threw)(?:\\s+(?:an?|any)\\s+\\w+)?)(?=\\s*(?:$|[?!.,;])|\\s+(?:in|on|at|for|and|or|since|today|yesterday|before|after|between|this|during)\\b)';
const FIRST_FAILED = new RegExp(`\\bfirst\\s+${FAILS}`, 'i');
const LAST_FAILED = new RegExp(`\\blast\\s+${FAILS}`, 'i');

/** Which failure somebody asks for, where they ask for one: "the first error today". */
export function failureEdgeIn(text: string): Edge | undefined {
  return FIRST_FAILURE.test(text) || FIRST_FAILED.test(text) ? 'first' : LAST_FAILURE.test(text) || LAST_FAILED.test(text) ? 'last' : undefined;
}

const FIRST_OF_ALL = new RegExp(`\\b(?:${FIRST})\\b`, 'i');
const LAST_OF_ALL = new RegExp(`\\b(?:${LAST})\\b(?!\\s+\\d)`, 'i');

/** The same of things that the question says by itself, in a text without times. */
export function edgeIn(text: string): Edge | undefined {
  return FIRST_OF_ALL.test(text) ? 'first' : LAST_OF_ALL.test(text) ? 'last' : undefined;
}
