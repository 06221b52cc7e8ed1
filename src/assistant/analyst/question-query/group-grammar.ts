import { MARK, type MarkedText } from './marked-text.js';
import type { MeasureOrder, QuestionMeasure } from './question-query.js';

export interface GroupReading {
  readonly groupBy: readonly string[];
  /** Fields that are named without being asked for in any way that can be read. */
  readonly loose: readonly string[];
  readonly stepSeconds?: number;
  readonly order?: MeasureOrder;
  /** Lists records by their duration: "the slowest trace". */
  readonly extreme?: 'slowest' | 'fastest';
  /** The highest or lowest of a measure that the question does not name: "top hosts". */
  readonly isTop?: 'highest' | 'lowest';
  readonly measures: readonly QuestionMeasure[];
}

const FIELD = MARK.field;
const MEASURE = MARK.measure;
/** "The higher error rate" is the highest of two. */
const HIGHEST = String.raw`most|highest|largest|biggest|greatest|top|worst|heaviest|(?:higher|more|larger|bigger|greater|worse)(?!\s+than)`;
const LOWEST = String.raw`(?<!\bat\s)least|lowest|fewest|smallest|best|(?:lower|fewer|less|smaller|better)(?!\s+than)`;
const STEP_SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400 };
const NOUN = '(?:requests?|calls?|traffic|logs?|log entries|entries|lines|traces?|spans?|messages?|quer(?:y|ies))';

/** Reads groups, their order, and which of them is asked for. `hasBounds`: figures of the groups are bounded. */
export function readGroups(text: MarkedText, hasBounds: boolean): GroupReading {
  const groupBy: string[] = [];
  const found: { order?: MeasureOrder; extreme?: 'slowest' | 'fastest'; isTop?: 'highest' | 'lowest' } = {};
  const stepSeconds = readSteps(text);
  // "In total, all services" asks for one figure.
  if (/\b(?:in\s+total|altogether|total|all\s+together)\b/.test(text.text))
    text.take(
      new RegExp(
        String.raw`\b(?:(?:for|of|on|over|across|by|from|in)\s+)?all\s+(?:the\s+|our\s+)?(?<field>${FIELD})`,
        'g',
      ),
      ({ field = '' }) => (text.get('field', field) === 'service' ? ' ' : undefined),
    );
  readOrders(text, found);
  const add = (fields: string): string => {
    for (const [mark] of fields.matchAll(new RegExp(FIELD, 'g'))) groupBy.push(text.get('field', mark));
    return ' ';
  };
  const list = String.raw`(?<fields>${FIELD}(?:\s*(?:,|and|and\s+(?:by|per)|x|×|then)\s*${FIELD})*)`;
  text.take(
    new RegExp(
      String.raw`\b(?:(?:grouped|split|broken\s+down|separated|breakdown|distributed|sorted)\s+)?(?:by|per|for\s+each|for\s+every|for\s+all|each|every|across|over|between|among)\s+(?:the\s+|all\s+|each\s+|every\s+|different\s+|individual\s+|of\s+)*(?<own>(?:${MARK.condition}\s*)*)${list}`,
      'g',
    ),
    // "Per payment instance" is also about payment.
    ({ fields = '', own = '' }) => ` ${own} ${add(fields)}`,
  );
  text.take(
    new RegExp(
      String.raw`\b(?:which|what|list|show|rank|order|sort|give|compare|all|every|each|any|one|top|busiest|slowest|fastest|other)\s+(?:(?:me|all|the|every|each|of|one|is|are|different|other|single|most\s+common)\s+)*${list}(?=(?<after>.*))`,
      'g',
    ),
    ({ fields = '' }) => add(fields),
  );
  if (hasBounds || found.order !== undefined || found.isTop !== undefined || found.extreme !== undefined)
    text.take(new RegExp(list, 'g'), ({ fields = '' }) => (groupBy.length === 0 ? add(fields) : undefined));
  text.take(
    new RegExp(String.raw`${list}\s*(?=(?:with|having|whose|that|which|where|had|have)\b)`, 'g'),
    ({ fields = '' }) => (groupBy.length === 0 ? add(fields) : undefined),
  );
  // "slower than the other": the members of the group are compared.
  text.take(/\b(?<side>slower|faster)\s+than\s+(?:the\s+|its\s+)?(?:others?|rest)\b(?:\s+ones?)?/g, ({ side }) => {
    found.extreme = side === 'slower' ? 'slowest' : 'fastest';
    return ' ';
  });
  const loose = text.remaining('field').filter((field) => field !== 'service' && !groupBy.includes(field));
  return {
    groupBy: [...new Set(groupBy)],
    loose,
    measures: text.remaining('measure'),
    ...found,
    ...(stepSeconds !== undefined && { stepSeconds }),
  };
}

function readSteps(text: MarkedText): number | undefined {
  let step: number | undefined;
  const take = ({ unit = 'minute' }: Readonly<Record<string, string | undefined>>): string => {
    step ??= STEP_SECONDS[unit];
    return ' ';
  };
  text.take(/\b(?<unit>minute|hour)\s+by\s+(?:minute|hour)\b/g, take);
  text.take(
    /\b(?<which>slowest|fastest|busiest|quietest)\s+(?:single\s+)?(?<unit>minute|hour)s?\b/g,
    ({ which = '', unit = '' }) => `${which} ${take({ unit })}`,
  );
  text.take(/\b(?:the\s+)?(?<unit>minute|hour)\s+(?:with|that\s+had|having)\s+(?=the\s)/g, take);
  text.take(/\b(?:in\s+|at\s+|during\s+)?(?:which|what)\s+(?<unit>second|minute|hour|day)s?\b/g, take);
  text.take(/\b(?:by|per|each|every|for\s+each|for\s+every)\s+(?:single\s+)?(?<unit>minute|hour|day)s?\b/g, take);
  text.take(/\b(?:over\s+time|as\s+a\s+(?:time\s*)?series)\b/g, take);
  return step;
}

interface FoundOrder {
  order?: MeasureOrder;
  extreme?: 'slowest' | 'fastest';
  isTop?: 'highest' | 'lowest';
}

function readOrders(text: MarkedText, found: FoundOrder): void {
  const order = (measure: QuestionMeasure, descending: boolean): void => {
    found.order ??= { measure, descending };
  };
  text.take(
    new RegExp(
      String.raw`,?\s*\b(?:and\s+)?not\s+(?:by\s+)?(?:the\s+)?${MEASURE}|,?\s*\b(?:and\s+)?not\s+(?:by\s+)?rates?\b`,
      'g',
    ),
    () => ' ',
  );
  text.take(
    new RegExp(
      String.raw`\b(?:(?<high>${HIGHEST})|(?<low>${LOWEST}))\s+(?:number\s+of\s+|overall\s+)?(?<between>(?:${MARK.condition}\s*)*)(?<mark>${MEASURE})`,
      'g',
    ),
    ({ mark = '', low, between = '' }) => {
      order(text.get('measure', mark), low === undefined);
      return `${between} ${mark}`;
    },
  );
  text.take(
    new RegExp(
      String.raw`\b(?:(?:sorted|ordered|ranked|order|sort|rank)\s+)?(?:by|in\s+terms\s+of|according\s+to|based\s+on)\s+(?:the\s+|their\s+|its\s+)?(?:(?:(?<high>${HIGHEST})|(?<low>${LOWEST}))\s+)?(?<mark>${MEASURE})`,
      'g',
    ),
    ({ mark = '', low }) => {
      const measure = text.get('measure', mark);
      // "by count" after "most errors" repeats it.
      if (measure.fn !== 'count' || found.order === undefined) order(measure, low === undefined);
      return measure.fn === 'count' ? ' ' : mark;
    },
  );
  text.take(
    new RegExp(
      String.raw`(?<mark>${MEASURE})\s*(?:is|was|are|were|being)?\s*(?:the\s+)?(?:(?<high>${HIGHEST})|(?<low>${LOWEST}))\b`,
      'g',
    ),
    ({ mark = '', low }) => {
      order(text.get('measure', mark), low === undefined);
      return mark;
    },
  );
  text.take(
    new RegExp(
      String.raw`\b(?:(?<high>most|highest|largest|biggest|more)|(?<low>fewest|(?<!at\s)least|lowest|smallest|fewer))\s+(?:number\s+of\s+)?(?=(?:failed\s+|slow\s+)?(?:${NOUN}|errors?\b|warnings?\b|${MARK.condition}))`,
      'g',
    ),
    ({ low }) => {
      order({ fn: 'count' }, low === undefined);
      return ' ';
    },
  );
  text.take(/\b(?:most\s+(?:common(?:ly)?|frequent(?:ly)?|often|used|called|active|popular)|busiest)\b/g, () => {
    order({ fn: 'count' }, true);
    return ' ';
  });
  text.take(/\b(?:least\s+(?:common|frequent|often|used|called|active)|rarest|quietest)\b/g, () => {
    order({ fn: 'count' }, false);
    return ' ';
  });
  text.take(/\b(?:(?<slow>slowest|longest)|fastest|quickest|shortest)\b/g, ({ slow }) => {
    found.extreme ??= slow === undefined ? 'fastest' : 'slowest';
    return ' ';
  });
  text.take(
    /\b(?:(?<high>highest|largest|biggest|greatest|top|worst|heaviest)|(?<low>lowest|smallest|best|bottom))\b/g,
    ({ low }) => {
      found.isTop ??= low === undefined ? 'highest' : 'lowest';
      return ' ';
    },
  );
}
