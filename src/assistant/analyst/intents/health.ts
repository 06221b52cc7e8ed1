import { dependencyFigures, diagnosesOf, healthOf, type ServiceFigures } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { overallAverages } from '../overall.js';
import { dependencySentence, diagnosisInShort, likelyCause, silenceOf } from '../sentences.js';
import { sideBySide } from '../side-by-side.js';
import type { Slots } from '../slots.js';
import { during } from '../when.js';
import { and, counted, listed, serviceFigures, some } from '../wording.js';

export const health: Intent = {
  name: 'health',
  cues: { health: 3, broken: 3.2, services: 0.5, two: 0.5 },
  forms: ['Is anything broken?', 'How is {service} doing?', 'Which services are unhealthy?'],
  async answer(inquiry, slots) {
    const [name] = slots.services;
    if (name === undefined) return ofAll(inquiry, slots);
    if (slots.isEach === true) return sideBySide(inquiry, slots);
    if (inquiry.vocabulary.dependencies.includes(name)) {
      return { text: dependencySentence(await dependencyFigures(inquiry, name, slots), during(slots.time, inquiry.nowMs)), followUps: [`Which services depend on ${name}?`, 'Is anything broken?'] };
    }
    return ofSome(inquiry, slots);
  },
};

async function ofAll(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  const averages = await overallAverages(inquiry, slots);
  const services = await healthOf(inquiry, slots);
  const window = during(slots.time, inquiry.nowMs);
  if (services.length === 0) return { text: `No service has sent telemetry${window} or in the day before, so there is nothing to judge.`, followUps: ['What happened in the last 24 hours?', 'Which services are there?'] };
  const degraded = worstFirst(services.filter(({ status }) => status !== 'healthy'));
  const cause = await causeOf(inquiry, slots, degraded.length > 0);
  if (degraded.length === 0) return { text: `${averages}${allWell(services, window)}${cause}`, followUps: ['What changed in the last hour?', 'Are there any alerts?', 'Which endpoints are slowest?'] };
  const others = services.filter(({ status }) => status === 'healthy').map(({ serviceName }) => serviceName);
  const rest = others.length === 0 ? '' : `\nThe other ${others.length === 1 ? 'one is' : `${others.length} are`} healthy: ${some(others)}.`;
  const text = `${averages}${degraded.length} of ${counted(services.length, 'service')} ${degraded.length === 1 ? 'is' : 'are'} degraded${window}:${listed(degraded.map(line))}${rest}${cause}`;
  return { text, followUps: [`Why is ${degraded[0].serviceName} degraded?`, 'What changed in the last hour?', `Show me failed traces of ${degraded[0].serviceName}`, 'Are there any alerts?'] };
}

/** One or several services by name. */
async function ofSome(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  const services = await healthOf(inquiry, slots);
  const window = during(slots.time, inquiry.nowMs);
  const lines = slots.services.map((name) => {
    const service = services.find(({ serviceName }) => serviceName === name);
    return service === undefined ? `${name} sent nothing${window} or in the day before.` : `${name} is ${service.status}${window}: ${serviceFigures(service)}.`;
  });
  const [name] = slots.services;
  const isWell = slots.services.every((each) => services.find(({ serviceName }) => serviceName === each)?.status !== 'degraded');
  const cause = isWell ? '' : await likelyCause(inquiry, slots, slots.services);
  const first = isWell ? `Tell me more about ${name}` : `Why is ${name} degraded?`;
  return { text: `${lines.join('\n')}${cause}`, followUps: [first, `Which errors does ${name} have?`, `What does ${name} depend on?`, `What changed in ${name}?`] };
}

/** The likeliest cause of all, where the energy is left to look for one. */
async function causeOf(inquiry: Inquiry, slots: Slots, isDegraded: boolean): Promise<string> {
  if (inquiry.left === 0) return '';
  const [found] = await diagnosesOf(inquiry, slots);
  if (found === undefined) return isDegraded ? '\nThere is no diagnosis for it.' : ' There is no diagnosis of any trouble.';
  return `\n${found.kind === 'inconclusive' ? 'The diagnosis is inconclusive' : 'Most likely cause'}: ${diagnosisInShort(found, inquiry.nowMs)}.`;
}

function allWell(services: readonly ServiceFigures[], window: string): string {
  const silence = silenceOf(services);
  const names = services.length === 1 ? `${services[0].serviceName}, the only service, is healthy` : `All ${services.length} services are healthy`;
  return services.length <= 5 && services.length > 1 ? `${names}${window}: ${and(services.map(({ serviceName }) => serviceName))}.${silence}` : `${names}${window}.${silence}`;
}

function worstFirst(services: readonly ServiceFigures[]): ServiceFigures[] {
  return [...services].sort((a, b) => b.errorRate - a.errorRate || a.apdex - b.apdex);
}

function line(service: ServiceFigures): string {
  return `${service.serviceName}: ${serviceFigures(service)}`;
}
