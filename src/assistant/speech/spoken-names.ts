/** Parts of names that are spelled; others are read as words, as engines do by themselves. */
const SPELLED = new Set(['db', 'id', 'api', 'sql', 'http', 'https', 'grpc', 'url', 'uri', 'ui', 'io', 'cpu', 'gc', 'jvm', 'ttl', 'dns', 'tcp', 'udp', 'tls', 'aws', 'gcp', 'sns', 'sqs', 'mq', 'kv', 'os', 'vm', 'rpc', 'cdn', 'llm', 'xx']);

/** Written short, said long. */
const SAID = new Map(Object.entries({ svc: 'service', srv: 'server', ms: 'milliseconds', cfg: 'config', msg: 'message', pg: 'postgres', k8s: 'kubernetes', nginx: 'engine x', mysql: 'my S Q L', postgresql: 'postgres', graphql: 'graph Q L' }));

/**
 * Names of services, operations and attributes as words: `orders-db` is "orders D B", `POST /api/v1/orders/{id}` is
 * "POST api v 1 orders I D". Long ids are not read out: nobody could follow.
 */
export function spokenNames(text: string): string {
  return text
    .replace(/\b(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{16,64}\b|\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi, (id) => `the I D that ends in ${[...id.slice(-4).toUpperCase()].join(' ')}`)
    .replace(/\bv(\d+(?:\.\d+)+)\b/g, 'version $1')
    .replace(/[\p{L}\p{N}_{}:$/-]*[\p{L}\p{N}]/gu, (name) => (isName(name) ? wordsOf(name).map(partSaid).join(' ') : name));
}

/** Joined by signs or capitals, or one of the parts that are not said as they are written. */
function isName(text: string): boolean {
  if (/^\d+(?:st|nd|rd|th)$/.test(text)) return false;
  return /[\p{L}\p{N}][-_/:][\p{L}\p{N}{$:]|^[/{]|\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}/u.test(text) || partSaid(text) !== text;
}

/** The words and numbers of a compound name, in the order of the name: `cartService2` has three. */
export function wordsOf(name: string): readonly string[] {
  return name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}|\p{N}+/gu) ?? [];
}

function partSaid(part: string): string {
  const lower = part.toLowerCase();
  return SAID.get(lower) ?? (SPELLED.has(lower) ? [...lower.toUpperCase()].join(' ') : part);
}
