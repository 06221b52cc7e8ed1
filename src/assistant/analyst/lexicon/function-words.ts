/**
 * Words that restrict nothing: articles, pronouns, auxiliaries, prepositions, question words, courtesies, and the nouns
 * and verbs of asking itself. A closed class: names, attributes and nouns of a domain do not belong here.
 */
const FUNCTION_WORD_LIST = `
a about acc according actually after again ago all along already also am an and any anybody anyone anything are around as ask asked asking asap at away
back be became because become been before being between both but by
came can check collect collected collects come comes common could
currently
did directly do does doing done during
either else ever everybody everyone everything exactly exist existing exists
feel feels for from further
gave get gets getting give given go goes going got gotten gone guys
had has have having he her here hers hey hi him his hmm how however hows
i id if ill im in into is it its itself ive
just kind kindly know known
lately let lets like list listed look looking looks lot lots
made main make makes making man many matter may maybe me mean might mine moment more most much must my myself
near need needed needs now
of off often oh ok okay on one ones onto over or our ours out overall own
part particular people point perhaps place please pls plz possible pretty quick quickly quite
ran rather really receive received receives receiving recent recently return returned returning returns right rn
said same say saying says see seem seems seen sees send sending sends sent shall she should show showing shows since so some somebody someone
something somewhere sort still stuff such suddenly sure
take takes taken taking took talk tell than thanks thx ty cheers that thats the their them themselves then there theres these they thing things think this those through
throughout till to today together tonight too toward towards try trying
under until up upon us use used useful using usual usually
very via
wait want wanted wants was way we were weve what whats when where wheres whether which while who whom whos whose why will wish with within
wonder wondering would wow wtf
yeah yes yesterday yet you your yours
data grid service services system systems application applications app apps component components telemetry site shop
name named names number numbers amount count counts figure figures time times answer answers answered question value values level levels rate
happen happened happening happens occur occurred occurs run running runs write wrote written writes record recorded records reported report
`;

/** Nouns of the list by which something may be grouped: "by site" asks for more than the list. */
export const GROUPABLE_NOUNS =
  'data|grids?|systems?|applications?|apps?|components?|sites?|shops?|names?|figures?|values?|levels?|kinds?|types?|parts?';

const FUNCTION_WORDS = new Set(FUNCTION_WORD_LIST.split(/\s+/).filter((word) => word !== ''));

/** True if the word restricts nothing. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** Words that negate or leave out what follows. */
const NEGATION =
  /^(?:not|no|non|never|none|nobody|nothing|neither|nor|without|except|excluding|exclude|excludes|besides|unless|minus|ignoring|cannot|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should)nt)$/;

export function isNegation(word: string): boolean {
  return NEGATION.test(word);
}

/** Words that ask for one figure for each member of a group. */
export function isGrouping(word: string): boolean {
  return /^(?:per|each|every|grouped)$/.test(word);
}

/** Whoever tells of a problem: "users say that …". */
const REPORTERS = /^(?:users?|customers?|clients?|people|colleagues?|support|boss|manager|team)$/;
const REPORTING_VERBS =
  /^(?:say|says|said|complain|complains|complained|report|reports|reported|tell|tells|told|think|thinks|notice|noticed|ask|asks|asked)$/;

/** True for the subject of "users say that checkout is slow". */
export function isReporter(word: string, next: string): boolean {
  return REPORTERS.test(word) && REPORTING_VERBS.test(next);
}

/** Function words that nevertheless restrict, order or relate something if nothing has read them. */
const MEANINGFUL = new Set(
  'or most after before since until till than under over between while during without along ago recently lately matter part own'.split(
    ' ',
  ),
);

/** True if an answer that ignores the word may answer another question. */
export function isMeaningful(word: string): boolean {
  return MEANINGFUL.has(word) || !isFunctionWord(word);
}
