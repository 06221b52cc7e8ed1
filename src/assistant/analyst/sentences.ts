import { concerns, diagnosesOf, type DependencyFigures, type Found, type ServiceFigures } from './findings.js';
import type { Inquiry } from './inquiry.js';
import type { Slots } from './slots.js';
import { clockOf } from './when.js';
import { and, counted, listed, ms, percent, quote, some } from './wording.js';

/** Sentences that several kinds of answers share. */

export function diagnosisSentences(found: Found, nowMs: number): string {
  const { cause, confidence, severity, affectedServices, evidence, firstDetected, impactedTraceCount, kind } = found;
  const since = `since ${clockOf(firstDetected, nowMs)}`;
  const head = kind === 'inconclusive'
    ? `The diagnosis is inconclusive: ${plain(cause)} (confidence ${confidence}, ${severity}), ${since}.`
    : `Most likely cause: ${plain(cause)} (confidence ${confidence}, ${severity}), ${since}.`;
  const affected = affectedServices.length === 0 ? '' : ` Affected: ${some(affectedServices)}.`;
  const traces = impactedTraceCount === 0 ? '' : ` It touched ${counted(impactedTraceCount, 'trace')}.`;
  const proof = evidence.length === 0 ? '' : `\nEvidence:${listed(evidence.map(plain), 4)}`;
  return `${head}${affected}${traces}${proof}`;
}

/** On a line of its own, what is behind the state of one of the services, where something is known to be. */
export async function likelyCause(inquiry: Inquiry, slots: Pick<Slots, 'time'>, services: readonly string[]): Promise<string> {
  if (inquiry.left === 0) return '';
  const found = (await diagnosesOf(inquiry, slots)).find((each) => services.some((name) => concerns(each, name)));
  if (found === undefined) return '';
  return `\n${found.kind === 'inconclusive' ? 'The diagnosis is inconclusive' : 'Most likely cause'}: ${diagnosisInShort(found, inquiry.nowMs)}.`;
}

/** Such as `payment answers slowly (confidence 0.91, critical, since 14:03 UTC)`. */
export function diagnosisInShort({ cause, confidence, severity, firstDetected }: Found, nowMs: number): string {
  return `${plain(cause)} (confidence ${confidence}, ${severity}, since ${clockOf(firstDetected, nowMs)})`;
}

export function dependencySentence({ name, callers }: DependencyFigures, window: string): string {
  if (callers.length === 0) return `${name} sends no telemetry of its own, and nothing called it${window}.`;
  const told = callers.map(({ source, requestCount, errorRate, avgLatencyMs }) => `${source}: ${counted(requestCount, 'call')}, error rate ${percent(errorRate)}, ${ms(avgLatencyMs)} on average`);
  return `${name} sends no telemetry of its own; its callers report${window}:${listed(told)}`;
}

/** Of services that count as healthy though nobody asked anything of them. */
export function silenceOf(services: readonly ServiceFigures[]): string {
  const quiet = services.filter(({ requestCount }) => requestCount === 0).map(({ serviceName }) => serviceName);
  return quiet.length === 0 ? '' : ` No requests came to ${some(quiet)}.`;
}

/** A text of ours that holds names of others: one line, without a full stop at its end. */
export function plain(text: string): string {
  return quote(text).slice(1, -1).replace(/\.$/, '');
}

export function unknownService(said: string, services: readonly string[]): string {
  return `I know no service or dependency named ${quote(said)}. ${services.length === 0 ? 'No service has sent telemetry yet.' : `The services here are ${some(services, 10)}.`}`;
}

export function whichOne(said: string, candidates: readonly string[]): string {
  const choices = candidates.length <= 5 ? candidates : candidates.slice(0, 5);
  const or = choices.length < 2 ? and(choices) : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  return `Which one do you mean by ${quote(said)}: ${or}${candidates.length > 5 ? `, or one of ${candidates.length - 5} more` : ''}?`;
}
