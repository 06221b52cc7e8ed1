import type { Intent } from '../intent.js';

const CAPABILITIES = `I answer questions about this Grid's telemetry, in English:
- health: “Is anything broken?”, “How is checkout doing?”
- causes: “Why is checkout slow?”, “What is the root cause?”, “Who is affected?”
- latency, errors, traffic: “Which endpoints are slowest?”, “Which errors does payment have?”
- changes and history: “What changed before 14:00?”, “What happened yesterday?”
- comparisons and trends: “Compare the last hour with yesterday”, “Is latency increasing?”
- traces and logs: “Show me failed traces of the last 10 minutes”, “Search logs containing "timeout"”
- dependencies, pressure, alerts: “Which services depend on the orders database?”, “Are there any alerts?”
- metrics, charts and your own usage: “Which metrics are there?”, “How many prompts do I have left?”
I only read: I change nothing.`;

const FIRST_STEPS = ['Is anything broken?', 'What changed in the last hour?', 'Which endpoints are slowest?', 'How many prompts do I have left?'];

export const help: Intent = {
  name: 'help',
  cues: { help: 2.6, named: -2 },
  forms: ['What can you do?'],
  answer: async () => ({ text: CAPABILITIES, followUps: FIRST_STEPS }),
};

export const greeting: Intent = {
  name: 'greeting',
  cues: { greeting: 2 },
  forms: ['Hello'],
  isCourtesy: true,
  answer: async () => ({ text: 'Hello! I answer questions about the services of this Grid: their health, errors, latency, causes, changes, traces and logs.', followUps: FIRST_STEPS }),
};

export const thanks: Intent = {
  name: 'thanks',
  cues: { thanks: 2.1 },
  forms: ['Thank you'],
  isCourtesy: true,
  answer: async () => ({ text: 'You are welcome.', followUps: FIRST_STEPS.slice(0, 3) }),
};
