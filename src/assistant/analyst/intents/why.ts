import { concerns, dependencyFigures, diagnosesOf, healthOf, type Found } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { dependencySentence, diagnosisInShort, diagnosisSentences } from '../sentences.js';
import type { Slots } from '../slots.js';
import { during } from '../when.js';
import { counted, listed, serviceFigures } from '../wording.js';

export const why: Intent = {
  name: 'why',
  cues: { why: 6 },
  forms: ['Why is {service} slow?', 'What is the root cause?'],
  async answer(inquiry, slots) {
    const diagnoses = await diagnosesOf(inquiry, slots);
    const [name] = slots.services;
    return name === undefined ? ofAll(inquiry, slots, diagnoses) : ofOne(inquiry, slots, name, diagnoses);
  },
};

async function ofOne(inquiry: Inquiry, slots: Slots, name: string, diagnoses: readonly Found[]): Promise<Draft> {
  const [found, ...others] = diagnoses.filter((each) => concerns(each, name));
  const state = await stateOf(inquiry, slots, name);
  if (found === undefined) return withoutCause(inquiry, name, state, diagnoses);
  const also = others.length === 0 ? '' : `\nAlso possible:${listed(others.map((other) => diagnosisInShort(other, inquiry.nowMs)), 2)}`;
  const culprit = found.serviceName ?? name;
  const more = inquiry.vocabulary.dependencies.includes(culprit) ? `Which services depend on ${culprit}?` : `Show me the logs of ${culprit}`;
  return {
    text: `${state}${diagnosisSentences(found, inquiry.nowMs)}${also}`,
    followUps: [`Show me failed traces of ${name}`, culprit === name ? `What changed in ${name}?` : `How is ${culprit} doing?`, 'Since when?', more],
  };
}

/** Its figures in one sentence, where the energy is left to ask for them. */
async function stateOf(inquiry: Inquiry, slots: Slots, name: string): Promise<string> {
  if (inquiry.left === 0) return '';
  const window = during(slots.time, inquiry.nowMs);
  if (inquiry.vocabulary.dependencies.includes(name)) return `${dependencySentence(await dependencyFigures(inquiry, name, slots), window)}\n`;
  const service = (await healthOf(inquiry, slots)).find(({ serviceName }) => serviceName === name);
  return service === undefined ? `${name} sent nothing${window} or in the day before.\n` : `${name} is ${service.status}${window}: ${serviceFigures(service)}.\n`;
}

function withoutCause({ nowMs }: Inquiry, name: string, state: string, diagnoses: readonly Found[]): Draft {
  const isWell = state.includes(' is healthy');
  const verdict = isWell ? `Nothing points at a problem of ${name}: there is no diagnosis for it.` : `There is no diagnosis for ${name}: no cause stands out.`;
  const elsewhere = diagnoses.length === 0 ? '' : `\nElsewhere:${listed(diagnoses.map((found) => diagnosisInShort(found, nowMs)), 3)}`;
  const followUps = [`What changed in ${name}?`, `Which errors does ${name} have?`, `What does ${name} depend on?`];
  return { text: `${state}${verdict}${elsewhere}`, followUps: diagnoses.length > 0 ? ['What is the root cause?', ...followUps] : followUps };
}

async function ofAll(inquiry: Inquiry, slots: Slots, [first, ...others]: readonly Found[]): Promise<Draft> {
  if (first !== undefined) {
    const also = others.length === 0 ? '' : `\nAlso possible:${listed(others.map((other) => diagnosisInShort(other, inquiry.nowMs)), 3)}`;
    const about = first.serviceName ?? first.affectedServices[0];
    const followUps = about === undefined ? ['Is anything broken?'] : [`How is ${about} doing?`, `Show me failed traces of ${about}`, `What changed in ${about}?`];
    return { text: `${diagnosisSentences(first, inquiry.nowMs)}${also}`, followUps: [...followUps, 'What happened in the last hour?'] };
  }
  const window = during(slots.time, inquiry.nowMs);
  const none = `There is no diagnosis${window}: no cause of trouble stands out.`;
  if (inquiry.left === 0) return { text: none, followUps: ['Is anything broken?', 'What changed in the last hour?'] };
  const services = await healthOf(inquiry, slots);
  const degraded = services.filter(({ status }) => status === 'degraded').map(({ serviceName }) => serviceName);
  const state = degraded.length === 0 ? ` ${services.length === 0 ? 'No service has sent telemetry.' : `All ${counted(services.length, 'service')} are healthy.`}` : ` Still degraded: ${degraded.join(', ')}.`;
  return { text: `${none}${state}`, followUps: ['What changed in the last hour?', 'What happened in the last hour?', 'Which endpoints are slowest?'] };
}
