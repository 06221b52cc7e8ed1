import type { Intent } from './intent.js';

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

const FIRST_STEPS = [
  'Is anything broken?',
  'What changed in the last hour?',
  'Which endpoints are slowest?',
  'How many prompts do I have left?',
];

export const helpIntent: Intent = {
  name: 'help',
  cues: { help: 2.6, named: -2 },
  forms: ['What can you do?'],
  answer: async () => ({ text: CAPABILITIES, followUps: FIRST_STEPS }),
};

export const greetingIntent: Intent = {
  name: 'greeting',
  cues: { greeting: 2 },
  forms: ['Hello'],
  isCourtesy: true,
  answer: async () => ({
    text: 'Hello! I answer questions about the services of this Grid: their health, errors, latency, causes, changes, traces and logs.',
    followUps: FIRST_STEPS,
  }),
};

export const thanksIntent: Intent = {
  name: 'thanks',
  cues: { thanks: 2.1 },
  forms: ['Thank you'],
  isCourtesy: true,
  answer: async () => ({ text: 'You are welcome.', followUps: FIRST_STEPS.slice(0, 3) }),
};

/** Definitions of product terms (contract §5). */
const DEFINITIONS: readonly (readonly [RegExp, string])[] = [
  [
    /apdex/i,
    'Apdex measures from 0 to 1 how satisfied users are: requests within the threshold count fully, those within four times the threshold half, slower and failed ones not at all. Above 0.9 users are satisfied, below 0.7 a service counts as degraded.',
  ],
  [
    /\bp\s?\d\d\b|percentile/i,
    'A percentile is the latency that the given percentage of requests does not exceed: p95 is exceeded by 5 of 100 requests, p50 is the median.',
  ],
  [
    /error rate|failure rate/i,
    "The error rate is the percentage of a service's requests whose span has the status ERROR. From 5 % on a service counts as degraded, unless the Grid has another threshold.",
  ],
  [
    /entry span/i,
    'An entry span begins work in a service: a span of kind SERVER or CONSUMER, or one without a parent. Requests, error rate, latency and Apdex count entry spans.',
  ],
  [/trace/i, 'A trace is everything that one request caused, over all services, as spans.'],
  [/span/i, 'A span is one piece of work in one service, with its start, duration and status.'],
  [
    /energy/i,
    'Replies cost energy: mine 1 each; those of a language model, where one is configured, 1 more for each data source that they use, at most 10. You have 100 at most, and 10 come back every 60 minutes.',
  ],
  [/throughput/i, 'Throughput is the number of requests per second, counted by entry spans.'],
  [
    /degraded|healthy|status/i,
    'A service is degraded if its error rate reaches 5 % or its Apdex falls below 0.7, unless the Grid has other thresholds; otherwise it is healthy.',
  ],
  [
    /diagnos/i,
    'A diagnosis is a probable cause with its confidence from 0 to 1, the evidence for it, and the affected services. If nothing stands out, it is inconclusive.',
  ],
  [
    /pressure|saturat/i,
    'A pressure point is a resource close to its limit: a connection pool, thread pool or queue, CPU, memory. It is reported from 70 %, as a warning from 80 %, and as critical from 90 %.',
  ],
  [/grid/i, 'A Grid is the unit that telemetry belongs to, with its own services, members, limits and API keys.'],
];

export const meaningIntent: Intent = {
  name: 'meaning',
  cues: { definition: 7 },
  forms: ['What does Apdex mean?'],
  async answer(_context, { term = '' }) {
    const definition = DEFINITIONS.find(([pattern]) => pattern.test(term))?.[1];
    const text =
      definition ??
      'I do not know that word. I can explain Apdex, percentiles, error rate, entry spans, traces, spans, diagnoses, pressure points, energy and Grids.';
    return { text, followUps: ['Is anything broken?', 'Which services are there?', 'What can you do?'] };
  },
};
