import { chartWordsIn } from './chart-words.js';
import { directionIn } from './directions.js';
import { edgeIn, failureEdgeIn } from './edges.js';
import type { Focus } from './focus.js';
import type { Said } from './hearing.js';
import type { IntentName } from './intent.js';
import { severityIn, wantedWords } from './measures.js';
import { asksForPeak } from './peaks.js';
import { resourceTypeIn } from './resource-types.js';
import type { Slots } from './slots.js';
import { outcomeIn } from './spoken-outcomes.js';

const SUBJECT = /\b(?:for|of|with|by|from|about)\s+((?:order|user|customer|cart|session|account|invoice|id)\b(?:\s+(?:id|number|no))?[\s#:=]*[\w-]*\d[\w-]*)/i;

const DEPLOYED = /\b(?:re)?(?:deploy(?:s|ed|ments?)?|releases?d?|roll(?:ed)?[\s-]?outs?|shipped|went live|upgraded?|versions?)\b/i;
const OTHER_CHANGES = /\b(?:chang(?:e|es|ed|ing)|endpoints?|scal(?:e|ed|ing)|instances?|new services?)\b/i;

/** Written as one word, `CardDeclinedException`, also by those who type no capitals. */
const EXCEPTION = /\b[A-Za-z][\w.]*(?:Exception|[a-z]Error)\b|\b\w{4,}exception\b/;

/** What matters to some questions only. */
export function withParticulars(text: string, { slots, present, tokens, names, rest }: Said, intent: IntentName | undefined): Slots {
  switch (intent) {
    case 'logs': return { ...slots, ...logParticulars(rest, slots) };
    case 'traces': {
      const status = outcomeIn(text, present);
      const edge = status === 'OK' ? undefined : failureEdgeIn(text);
      const subject = SUBJECT.exec(rest)?.[1];
      return { ...slots, ...(status !== undefined && { status }), ...((present.has('slow') || present.has('slowest')) && { isSlow: true }), ...(present.has('slowest') && { isSlowest: true }), ...(present.has('oneSlowest') && { limit: 1 }), ...(edge !== undefined && { edge }), ...(subject !== undefined && { subject }) };
    }
    case 'metrics': return { ...slots, chartWords: chartWordsIn(tokens, names.taken), listOf: /\b(?:charts?|dashboards?|graphs?)\b/i.test(text) ? 'charts' : 'metrics' };
    case 'outcomes': {
      const status = outcomeIn(text, present);
      return status === undefined ? slots : { ...slots, status };
    }
    case 'latency':
    case 'traffic': return slots.services.length === 1 && asksForPeak(text) ? { ...slots, isPeak: true } : slots;
    case 'pressure': {
      const resourceType = resourceTypeIn(rest);
      return resourceType === undefined ? slots : { ...slots, resourceType };
    }
    case 'errors': {
      const edge = failureEdgeIn(text);
      const exception = EXCEPTION.exec(rest)?.[0];
      return { ...slots, ...(edge !== undefined && { edge }), ...(exception !== undefined && { exception }), ...(slots.services.length === 1 && asksForPeak(text) && { isPeak: true }) };
    }
    case 'onset': {
      const exception = EXCEPTION.exec(rest)?.[0];
      return exception === undefined ? slots : { ...slots, exception, edge: 'first' };
    }
    case 'changes': {
      const edge = DEPLOYED.test(text) ? edgeIn(rest) : undefined;
      return { ...slots, ...(DEPLOYED.test(text) && !OTHER_CHANGES.test(text) && { isDeployed: true }), ...(edge === 'last' && { limit: 1 }), ...(/\bwho\b/i.test(text) && { isWho: true }) };
    }
    case 'alerts': return { ...slots, ...alertParticulars(rest, slots), ...(present.has('why') && { isWhy: true }) };
    case 'usage':
    case 'meaning': return { ...slots, term: text };
    case 'dependencies': {
      const direction = directionIn(tokens, names.taken);
      return direction === undefined ? slots : { ...slots, direction };
    }
    default: return slots;
  }
}

const RESOLVED = /\b(?:resolved|clear(?:ed)?|ended|closed|(?:is|are|was|were)\s+over\b(?!\s+(?:the|a)\b))/i;

function alertParticulars(rest: string, { time }: Slots): Partial<Slots> {
  // The state of an alert is that at the end of a range: one that was firing in it may be resolved by then.
  const firing = time?.kind === 'range' ? /\bstill\b/i : /\b(?:still|firing|active|open)\b/i;
  const alertSeverity = /\bcriticals?\b/i.test(rest) ? 'critical' : /\bwarn(?:ing)?s?\b/i.test(rest) ? 'warning' : undefined;
  const alertStatus = RESOLVED.test(rest) ? 'resolved' : firing.test(rest) ? 'firing' : undefined;
  const edge = /\blongest\b/i.test(rest) ? 'first' : edgeIn(rest);
  return { ...(alertSeverity !== undefined && { alertSeverity }), ...(alertStatus !== undefined && { alertStatus }), ...(edge !== undefined && { edge }) };
}

function logParticulars(rest: string, { words }: Slots): Partial<Slots> {
  const wanted = words === undefined ? wantedWords(rest) : undefined;
  const severity = severityIn(wanted === undefined ? rest : rest.slice(0, wanted.from));
  return { ...(severity !== undefined && { severity }), ...(wanted !== undefined && { words: wanted.words }) };
}

/** Traces behind errors are failed ones. */
export function inContext(slots: Slots, { intent }: Focus, asked: IntentName | undefined): Slots {
  return asked === 'traces' && intent === 'errors' && slots.status === undefined ? { ...slots, status: 'ERROR' } : slots;
}
