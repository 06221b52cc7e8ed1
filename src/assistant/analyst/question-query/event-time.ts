import { MARK, type MarkedText } from './marked-text.js';

const DEPLOYMENT = String.raw`(?:re)?(?:deployments?|deploy|releases?|rollouts?|roll-?outs?|upgrades?|updates?)`;
const ARTICLE = String.raw`(?:(?:the|its|their|that|this|our|last|latest|newest|recent|most|new|previous)\s+)*`;
const OF = String.raw`(?:\s+(?:of|to|for)\s+(?:the\s+)?(?<of>${MARK.name}))?`;
const VERSION = String.raw`(?:\s+(?:of\s+|to\s+)?(?:version\s+)?v?(?<version>\d+(?:\.\d+)+))?`;
const SIDE = String.raw`\b(?<side>since|after|before|until|following|before\s+and\s+after)\s+`;
const NOUN_LAST = new RegExp(
  String.raw`${SIDE}${ARTICLE}(?:(?<name>${MARK.name})\s*(?:'s\s+)?)?(?:v?(?<early>\d+(?:\.\d+)+)\s+)?(?:${ARTICLE})${DEPLOYMENT}\b${OF}${VERSION}`,
  'gi',
);
const VERB_LAST = new RegExp(
  String.raw`${SIDE}${ARTICLE}(?:(?:version|release)\s+)?(?:(?<name>${MARK.name})\s*)?(?:version\s+)?(?:v?(?<early>\d+(?:\.\d+)+)\s+)?(?:of\s+(?<of>${MARK.name})\s+)?(?:(?:was|were|got|has\s+been)\s+(?:last\s+)?(?:deployed|released|rolled\s+out|updated|upgraded|shipped)|(?:went|came|is|was)\s+(?:live|out|into\s+production)|(?:launched|shipped|landed))\b`,
  'gi',
);

/** `since the last deployment of cart`, `after the cart deployment`, `before 1.5.0 was deployed`. */
export function readEventTime(text: MarkedText): void {
  const take = (groups: Readonly<Record<string, string | undefined>>): string => {
    const { side = 'since', name, of, early, version = early } = groups;
    const mark = name ?? of;
    return text.mark('time', {
      kind: 'event',
      side: /and/i.test(side) ? 'both' : /^(?:before|until)/i.test(side) ? 'before' : 'since',
      ...(mark !== undefined && { service: text.get('name', mark) }),
      ...(version !== undefined && { version }),
    });
  };
  text.take(NOUN_LAST, take);
  text.take(VERB_LAST, take);
}
