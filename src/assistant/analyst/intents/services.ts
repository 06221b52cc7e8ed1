import { healthOf } from '../findings.js';
import type { Intent } from '../intent.js';
import { counted, some } from '../wording.js';

const MOST_NAMES = 25;

export const services: Intent = {
  name: 'services',
  cues: { services: 2, show: 1, many: 1 },
  forms: ['Which services are there?'],
  async answer(inquiry, slots) {
    const all = await healthOf(inquiry, slots);
    if (all.length === 0) return { text: 'No service has sent telemetry in the last day.', followUps: ['What can you do?', 'How many prompts do I have left?'] };
    const [first] = all;
    return {
      text: `${counted(all.length, 'service')}: ${some(all.map(({ serviceName }) => serviceName), MOST_NAMES)}.`,
      followUps: ['Is anything broken?', 'Show me the service map', `Tell me more about ${first.serviceName}`],
    };
  },
};
