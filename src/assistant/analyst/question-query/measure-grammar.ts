import { MARK, type MarkedText } from './marked-text.js';
import type { MeasureBound, QuestionMeasure } from './question-query.js';

const LATENCY = String.raw`(?:latency|latencies|durations?|response\s+times?|(?:processing|execution|waiting)\s+times?|times?)`;
const NO_BOUND = String.raw`(?!\s*${MARK.bound})`;

const WORDS: readonly (readonly [RegExp, QuestionMeasure])[] = [
  [
    /\b(?:errors?|failures?|fail)[\s-]*(?:rates?|percentages?|ratios?)\b|\berrorrate\b|\b(?:percentage|percent|share|rates?|ratio|fraction|proportion)\s+of\s+(?:errors|failures|(?:failed|failing)\s+(?:requests|calls|spans))\b/g,
    { fn: 'errorRate' },
  ],
  [
    /\b(?:per|a)\s+(?:second|sec|s)\b|(?<=\w)\/s(?:ec)?\b|\brps\b|\bthroughput\b|\b(?:request|call|query)\s+rates?\b/g,
    { fn: 'rate' },
  ],
  [/\b(?:per|a)\s+min(?:ute)?\b|\brpm\b/g, { fn: 'rate', isPerMinute: true }],
  [
    new RegExp(String.raw`\b(?:average|avg|mean)\b(?:\s+${LATENCY})?|\bon\s+average\b`, 'g'),
    { fn: 'avg', field: 'duration' },
  ],
  [
    new RegExp(String.raw`\b(?:max(?:imum)?|peak|longest|highest|worst)\s+${LATENCY}\b|\bmax(?:imum)?\b`, 'g'),
    { fn: 'max', field: 'duration' },
  ],
  [
    new RegExp(String.raw`\b(?:min(?:imum)?|shortest|lowest|fastest|best)\s+${LATENCY}\b|\bmin(?:imum)?\b`, 'g'),
    { fn: 'min', field: 'duration' },
  ],
];

/** Reads figures that are asked for, and bounds of figures; bounds of the duration of records become conditions. */
export function readMeasures(text: MarkedText, isLog: boolean): readonly MeasureBound[] {
  const faultless = readFaultless(text);
  readCounts(text);
  const isMean = readMeanRate(text);
  refuseFiguresOfFigures(text);
  const namesTime = NAMES_TIME.test(text.text);
  for (const [pattern, measure] of WORDS)
    text.take(pattern, (_, found) => {
      if (measure.fn === 'rate') return text.mark('measure', isMean ? { ...measure, isMean } : measure);
      const isBare = measure.field !== undefined && !namesTime;
      return text.mark('measure', isBare ? { ...measure, bare: found.trim() } : measure);
    });
  readLatency(text);
  readFieldMeasures(text);
  if (!isLog) readFailures(text);
  return [...faultless, ...readBounds(text)];
}

const RATE =
  /\b(?:per|a|each|every)\s+(?:second|sec|min(?:ute)?)\b|\br[ps][sm]\b|\bthroughput\b|\b(?:request|call|query)\s+rates?\b/;
const MEAN = new RegExp(
  String.raw`\bon\s+average\b|\b(?:average|avg|mean)\b(?!\s+${LATENCY})(?:\s+(?:number|count|rate)s?\s+of\b|\s+(?<mark>${MARK.measure}))?`,
  'g',
);

/** "On average how many errors a minute": the mean is that of the rate, unless the question names a duration too. */
function readMeanRate(text: MarkedText): boolean {
  let isMean = false;
  if (!RATE.test(text.text) || NAMES_DURATION.test(text.text)) return false;
  text.take(MEAN, ({ mark }) => {
    if (mark !== undefined && !isNumberOfRecords(text.get('measure', mark))) return undefined;
    isMean = true;
    return ' ';
  });
  return isMean;
}

function isNumberOfRecords({ fn }: QuestionMeasure): boolean {
  return fn === 'count' || fn === 'rate';
}

/** "Average p95", "maximum number of distinct users": no figure is taken of another figure. */
function refuseFiguresOfFigures(text: MarkedText): void {
  text.take(
    new RegExp(
      String.raw`\b(?<word>average|avg|mean|max(?:imum)?|min(?:imum)?)\s+(?:of\s+)?(?:the\s+)?(?<mark>${MARK.measure})`,
      'g',
    ),
    ({ word = '', mark = '' }) => {
      if (!isNumberOfRecords(text.get('measure', mark))) text.faults.push(word);
      return undefined;
    },
  );
  // "Average requests by region" is a figure of what number? A rate says it.
  if (RATE.test(text.text) || NAMES_TIME.test(text.text)) return;
  text.take(
    /\b(?<word>average|avg|mean|max(?:imum)?|min(?:imum)?)\s+(?:requests|calls|errors|failures|traces|spans|traffic|entries|lines)\b/g,
    ({ word = '' }) => {
      text.faults.push(word);
      return undefined;
    },
  );
}

const NAMES_DURATION =
  /\b(?:latency|latencies|durations?|response\s+times?|how\s+(?:long|fast|slow)|took|takes?|slow(?:er|est)?|fast(?:er|est)?)\b/;

/** A figure without a field is one of durations only where the question is about these. */
const NAMES_TIME = new RegExp(
  String.raw`${NAMES_DURATION.source}|\b${LATENCY}\b|\b(?:quick(?:er|est)?|long(?:er|est)?|short(?:er|est)?|speed|m?s|milliseconds?)\b`,
);

/** "Which endpoints never failed" is about groups without failures, not about their successful requests. */
function readFaultless(text: MarkedText): readonly MeasureBound[] {
  const having: MeasureBound[] = [];
  const none = String.raw`(?:(?:never|(?:did|do|does|have|has|had)\s+not)\s+(?:fail(?:ed|s)?|error(?:ed)?|have\s+(?:any\s+)?(?:errors?|failures?))|(?:had|have|has|with)\s+(?:no|zero|0)\s+(?:errors?|failures?)|without\s+(?:any\s+)?(?:errors?|failures?))`;
  text.take(new RegExp(String.raw`(?<field>${MARK.field})\s*(?:(?:that|which|who)\s+)?${none}\b`, 'g'), ({ field }) => {
    having.push({ measure: { fn: 'failures' }, sign: '=', value: 0 });
    return ` ${field ?? ''} `;
  });
  return having;
}

/** "…, and what are they called": what is counted is listed too. */
const AND_NAMED =
  /,?\s?\band\s+(?:(?:what|which|who)\s+(?:are|were)\s+(?:they|those|these)(?:\s+(?:called|named))?|what\s+(?:are|were)\s+their\s+names|(?:list|name|show)\s+(?:them|those|these)(?:\s+all)?|which\s+(?:ones|of\s+them)|which(?=\s*(?:$|[,?.!])))/;

function readCounts(text: MarkedText): void {
  text.take(
    /\b(?:and\s+)?how\s+many\s+of\s+(?:those|them|these|which)(?:\s+(?:calls|requests|spans))?(?:\s+(?:have|had|were|did))?\s+(?:fail(?:ed)?|errored)\b|\bhow\s+many\s+(?:calls\s+|requests\s+)?failed\s*$/g,
    () => text.mark('measure', { fn: 'failures' }),
  );
  const isNamed = AND_NAMED.test(text.text) && new RegExp(MARK.field).test(text.text);
  if (isNamed) text.text = text.text.replace(AND_NAMED, ' ');
  text.take(
    new RegExp(
      String.raw`\b(?:how\s+many|(?:the\s+)?numbers?\s+of|counts?\s+of)\s+(?:(?<distinct>different|distinct|unique)\s+)?(?<field>${MARK.field})`,
      'g',
    ),
    ({ field = '' }) => {
      const counted = text.mark('measure', { fn: 'countDistinct', field: text.get('field', field) });
      return isNamed ? `${counted} by ${field}` : counted;
    },
  );
  text.take(/\bhow\s+(?:many|often|frequently|much)\b|\b(?:number|counts?|amount|volume)\s+of\b|\bcounts?\b/g, () =>
    text.mark('measure', { fn: 'count' }),
  );
}

const LASTING =
  /\bhow\s+long\s+(?:was|were|is|are|has|have|had|did)\b[^,]*\b(?:live|deployed|running|run|up|down|active|open|firing|out|around|broken|degraded|unhealthy|silenced|last(?:ed)?|exist(?:ed)?)\b/;

/** "latency" alone is the average and the p95. */
function readLatency(text: MarkedText): void {
  const mark = new RegExp(
    String.raw`(?<mark>${MARK.measure})\s*(?:of\s+)?(?:the\s+)?(?:${LATENCY}|ms|milliseconds)\b`,
    'g',
  );
  text.take(mark, ({ mark: found }) => ` ${found ?? ''} `);
  text.take(
    new RegExp(String.raw`\b${LATENCY.replace('|times?)', ')')}\s*(?:in|at|as)?\s*(?=${MARK.measure})`, 'g'),
    () => ' ',
  );
  // "How long was 1.5.0 live" asks for a time between two events.
  const isLasting = LASTING.test(text.text);
  text.take(
    /\b(?:latency|latencies|durations?|response\s+times?|how\s+(?:long|fast|slow|quick(?:ly)?)|speed)\b/g,
    (_, found) =>
      isLasting && /long$/.test(found)
        ? undefined
        : text.mark('measure', { fn: 'avg', field: 'duration' }) +
          text.mark('measure', { fn: 'p95', field: 'duration' }),
  );
}

/** "Max and min parcel weight": the field belongs to both. */
function repeatFields(text: MarkedText): void {
  text.take(
    new RegExp(
      String.raw`(?<first>${MARK.measure})\s*(?:,|and|&|or)\s*(?<second>${MARK.measure})\s*(?<link>(?:of\s+)?(?:the\s+)?)(?<field>${MARK.field})`,
      'g',
    ),
    ({ first = '', second = '', link = '', field = '' }) =>
      text.get('field', field).includes('.') ? ` ${first} ${link}${field} ${second} ${link}${field} ` : undefined,
  );
}

/** "average of order.amount", "sum of order.amount". */
function readFieldMeasures(text: MarkedText): void {
  repeatFields(text);
  text.take(
    new RegExp(
      String.raw`(?<mark>${MARK.measure})\s*(?:of\s+)?(?:the\s+)?(?:values?\s+of\s+)?(?<field>${MARK.field})`,
      'g',
    ),
    ({ mark = '', field = '' }) => {
      const { fn } = text.get('measure', mark);
      const name = text.get('field', field);
      return fn === 'count' ||
        fn === 'rate' ||
        fn === 'errorRate' ||
        fn === 'failures' ||
        !name.includes('.') ||
        DIMENSION.test(name)
        ? undefined
        : text.mark('measure', { fn, field: name });
    },
  );
  text.take(
    new RegExp(
      String.raw`\b(?:(?<high>largest|highest|biggest|greatest)|(?:smallest|lowest))\s+(?:value\s+of\s+)?(?<field>${MARK.field})`,
      'g',
    ),
    ({ high, field = '' }) => {
      const name = text.get('field', field);
      return name.includes('.') && MAGNITUDE.test(name)
        ? text.mark('measure', { fn: high === undefined ? 'min' : 'max', field: name })
        : undefined;
    },
  );
  text.take(
    new RegExp(String.raw`\b(?:sum|total)\s+(?:of\s+)?(?:the\s+)?(?<field>${MARK.field})`, 'g'),
    ({ field = '' }) => text.mark('measure', { fn: 'sum', field: text.get('field', field) }),
  );
}

/** Fields whose values are sizes: of others, "the highest" ranks their records. */
const MAGNITUDE =
  /(?:amount|size|count|length|total|price|cost|bytes|seconds|ms|quantity|weight|age|depth|number|value)$/;

/** Fields that name things, so that "the p95 of hosts" is no figure of the field. */
const DIMENSION = /^(?:host|service|k8s|http\.(?:re|method|route|status)|event|cloud)\b/;

/** "errors" counts failures among the records; "failed requests" are a condition. */
function readFailures(text: MarkedText): void {
  const noun = String.raw`(?:errors|failures|fails)${NO_BOUND}\b(?!\s*(?:logs?|traces?|spans?|requests?|messages?))`;
  text.take(new RegExp(String.raw`(?<count>${MARK.measure})\s*(?:of\s+)?${noun}`, 'g'), ({ count = '' }) =>
    text.get('measure', count).fn === 'count' ? text.mark('measure', { fn: 'failures' }) : undefined,
  );
  text.take(new RegExp(String.raw`\b${noun}`, 'g'), () => text.mark('measure', { fn: 'failures' }));
}

/** "More than one version": bounds of how many values a field has. */
function readVarietyBounds(text: MarkedText): readonly MeasureBound[] {
  const having: MeasureBound[] = [];
  text.take(
    new RegExp(String.raw`(?<bound>${MARK.bound})\s*(?:(?:different|distinct|unique)\s+)?(?<field>${MARK.field})`, 'g'),
    ({ bound = '', field = '' }) => {
      const { bounds, unit, noun } = text.get('bound', bound);
      if (unit !== '' || noun !== undefined) return undefined;
      const measure: QuestionMeasure = { fn: 'countDistinct', field: text.get('field', field) };
      having.push(...bounds.map(({ sign, amount }) => ({ measure, sign, value: amount })));
      return ' ';
    },
  );
  return having;
}

function readBounds(text: MarkedText): readonly MeasureBound[] {
  const having: MeasureBound[] = [...readVarietyBounds(text)];
  const between = String.raw`(?:\s*(?:of|is|was|are|were|be|being|the|a|an|latency|for|that|which|value))*\s*`;
  text.take(
    new RegExp(String.raw`(?<measure>${MARK.measure})${between}(?<bound>${MARK.bound})`, 'g'),
    ({ measure = '', bound = '' }) => {
      const found = text.get('measure', measure);
      const { bounds, noun } = text.get('bound', bound);
      if (found.fn === 'count' && noun === undefined) return undefined;
      having.push(...bounds.map(({ sign, amount }) => ({ measure: found, sign, value: amount })));
      return text.mark('measure', found);
    },
  );
  // "Slower than 400 ms at p95".
  text.take(
    new RegExp(String.raw`(?<bound>${MARK.bound})\s*(?:at|by|in|for)\s+(?:the\s+)?(?<measure>${MARK.measure})`, 'g'),
    ({ measure = '', bound = '' }) => {
      const found = text.get('measure', measure);
      const { bounds, unit } = text.get('bound', bound);
      if (unit !== 'ms' || found.field !== 'duration') return undefined;
      having.push(...bounds.map(({ sign, amount }) => ({ measure: found, sign, value: amount })));
      return text.mark('measure', found);
    },
  );
  text.take(
    new RegExp(String.raw`(?<field>${MARK.field})${between}(?<bound>${MARK.bound})`, 'g'),
    ({ field = '', bound = '' }) => {
      const name = text.get('field', field);
      if (!name.includes('.')) return undefined;
      return text
        .get('bound', bound)
        .bounds.map(({ sign, amount }) =>
          sign === '='
            ? text.mark('condition', { kind: 'in', field: name, values: [String(amount)] })
            : text.mark('condition', { kind: 'compare', field: name, sign, value: String(amount) }),
        )
        .join(' ');
    },
  );
  text.take(
    new RegExp(
      String.raw`(?<bound>${MARK.bound})(?<after>\s*(?:of\s+(?:the\s+)?)?(?:errors?|failures?|failed)\b)?`,
      'g',
    ),
    ({ bound = '', after }) => {
      const { bounds, unit, noun } = text.get('bound', bound);
      const measure: QuestionMeasure | undefined =
        unit === '%' && (after !== undefined || /^(?:err|fail)/i.test(noun ?? ''))
          ? { fn: 'errorRate' }
          : unit === '' && (noun !== undefined || after !== undefined)
            ? { fn: after !== undefined || /^(?:err|fail)/i.test(noun ?? '') ? 'failures' : 'count' }
            : undefined;
      if (measure !== undefined) {
        having.push(...bounds.map(({ sign, amount }) => ({ measure, sign, value: amount })));
        return ` ${measure.fn === 'count' ? (noun ?? '').replace('times', '') : ''} `;
      }
      if (unit !== 'ms') return undefined;
      return (
        bounds
          .map(({ sign, amount }) =>
            text.mark('condition', {
              kind: 'compare',
              field: 'duration',
              sign: sign === '=' ? '>=' : sign,
              value: `${amount}ms`,
            }),
          )
          .join(' ') + (after ?? noun ?? '')
      );
    },
  );
  return having;
}
