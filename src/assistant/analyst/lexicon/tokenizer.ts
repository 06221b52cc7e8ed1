/** Offsets in a text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface WordToken extends TextRange {
  /** Lower case, without apostrophes. */
  readonly word: string;
}

/** Words of letters and digits; separators of names (`-`, `_`, `.`, `/`) also separate words. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’]*/gu;

const CONTRACTIONS = /^(?:what|how|who|where|when|why|it|that|there|here|let)'s$/;

export function tokenize(text: string): WordToken[] {
  return [...text.matchAll(WORD)].map(({ 0: found, index }) => ({
    word: normalizeWord(found),
    from: index,
    to: index + found.length,
  }));
}

/** "The database's" becomes "database"; "what's" becomes "whats". */
function normalizeWord(found: string): string {
  const word = found.toLowerCase().replace(/’/g, "'");
  return (CONTRACTIONS.test(word) ? word : word.replace(/'s$/, '')).replace(/'/g, '');
}

/** Words of an identifier: `paymentGateway.v2` is payment, gateway, v2. */
export function splitIdentifier(name: string): string[] {
  const separated = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return tokenize(separated).map(({ word }) => word);
}

/** Replaces a part of the text by blanks, so that offsets stay valid. */
export function blankOut(text: string, from: number, to: number): string {
  return text.slice(0, from) + ' '.repeat(to - from) + text.slice(to);
}

/** Words that do not name services. Sorted, without duplicates. */
const STOP_WORD_LIST = `
a able abnormal about above access according acknowledged across active actually add added admin after afternoon again
ago agree all allowed almost along already also always am amount amounts an and another answer any anybody anymore
anyone anything anyway anywhere app appear appears application apps april are around as ask asked assistant at august
available average avg avoid away
back backend basically be because become been before behave behaving behavior behaviour behind being believe below
best between bigger biggest bit both briefly bring brought build builds built business but by
calculated call came can cannot cant careful case cause ceiling certain chance changed check clear clearly client
clients closed code collect collected collecting collects come comes coming common company compared complain
complaining complains complete completely component components computed computer consider considered contain
containing contains correct cost costs could couldnt counts couple course curious current currently customer customers
data databases day days deal december default dependency detect detected did didnt direct directly do does doesnt
doing done dont double doubt due during
each earlier early easily edge effect eight either else end ended ends enough entire entries environment even evening
ever every everybody everyone everything everywhere exactly exist existing exists expect expected experience
experiencing explain external extra
fact far february feel few fifth figure figures find fine fire first five floor following for form found four fourth
frequent frequently friday from full further
gave general get gets getting give given global go goes going gone good got great grid
had half handle handling happen happened hard has hasnt have havent having he healthy hear heavily heavy hello help
her here hers high him his hold hope hot hottest hour hours how however hows hrs
i id idea if ignore ill im immediate immediately important in inactive include including increase indeed individual
infrastructure inside instance instances instead instructions interested interesting internal into involved is isnt it
item items its itself ive
january july june just
keep keeps key keys kind kindly know known knows
large larger last late lately later latest lead learn least leave less let lets level levels like line lines list
listed lists little live load local long longer look looking looks lot low
made main major make makes making manager many march matter max maximum may maybe me mean measure measured measures
measuring mention mentioned mentioning message midnight might milliseconds min mine minimum minor mins minute minutes
miss missing mistake mode modes moment monday monitor monitored monitoring monitors month months more morning most
mostly move ms much multiple must my myself
name named names near necessary need network never new newest next night nine no nobody none noon nor normal normally
not note nothing notice noticed november now number numbers
observability observe observed obvious occur october of off often oh old older on once one ones ongoing online only
onto open or order originally other others our ours out outside over overall overview own
page part partial partially particular parts password past peak peaked peaks people per percent percentage perhaps
period piece place plan platform play please pls plz point possible possibly present pretty previous price primary
print printed printing prior probably process prod produce produced producing production prompt put
quarter question questions quick quickly quite
range rare rarely rate rates rather ratio reach read ready real really reason receive received recent recently
recorded recording regard regarding related remote reopened report reported reports respect result results return
returned returning returns reveal review right roughly run runs
said same saturday save saw say saying says search sec second secondary seconds secret secs section see seeing seem
seems seen seing self send sending sent september serious seriously serve served server servers serves service
services serving set setup seven several shall shape she shop should show shown shows side similar simply since single
site situation six small smaller smallest so software some somebody somehow someone something sometimes somewhere soon
sorry sort source sources special specific stack stand started state states status still stop stopped store strange
stuff successful such suddenly suffer suffers summarise summarize sunday sure suspect suspicious system systems
take taken talk team telemetry tell ten terms text than thank that thats the their them themselves then there theres
these they thing things think third this those though thought three through thursday time times to today together
tomorrow tonight too top topic total touch touched toward towards track tried triple true try trying tuesday turn two
type types typical typically
unable unacked unacknowledged unassigned unavailable under understand unknown unresolved until up update updates upon
us use user users usual usually utc
value values various very via visible
wait waiting want wanted wants was wasnt way we website wednesday week weekend weeks well were what whatever whats
when whenever where wheres whether which while who whole whom whos whose why will wise wish with within without wonder
wondering wont word words work worked world worst would wouldnt write
yeah year years yep yes yesterday yet you young your yours
zero
`;

const STOP_WORDS = new Set(STOP_WORD_LIST.split(/\s+/).filter((word) => word !== ''));

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
