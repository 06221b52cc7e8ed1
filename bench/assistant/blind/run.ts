import { BLIND_ADMIN_QUESTIONS } from './blind-admin-questions.js';
import { BLIND_ENGINEER_QUESTIONS } from './blind-engineer-questions.js';
import { BLIND_FIFTH_INCIDENT_QUESTIONS } from './blind-fifth-incident-questions.js';
import { BLIND_FIFTH_QUESTIONS } from './blind-fifth-questions.js';
import { BLIND_FOURTH_QUESTIONS } from './blind-fourth-questions.js';
import { BLIND_MANAGER_QUESTIONS } from './blind-manager-questions.js';
import { BLIND_SECOND_QUESTIONS } from './blind-second-questions.js';
import { BLIND_SIXTH_QUESTIONS } from './blind-sixth-questions.js';
import { BLIND_THIRD_QUESTIONS } from './blind-third-questions.js';
import { BlindService } from './blind-service.js';

/**
 * Asks a running service, which receives the demo's shop and the telemetry of this folder, and prints each answer with
 * what was expected and the figures of the API, to be read and classified. Environment: HINDSIGHT_URL, HINDSIGHT_GRID,
 * HINDSIGHT_API_KEY, HINDSIGHT_TOKEN (of a Member). Arguments: the first question, the last.
 */
const { HINDSIGHT_URL = 'http://127.0.0.1:8080', HINDSIGHT_GRID, HINDSIGHT_API_KEY, HINDSIGHT_TOKEN } = process.env;
if (HINDSIGHT_GRID === undefined || HINDSIGHT_API_KEY === undefined || HINDSIGHT_TOKEN === undefined)
  throw new Error('HINDSIGHT_GRID, HINDSIGHT_API_KEY and HINDSIGHT_TOKEN are needed');

const service = new BlindService(HINDSIGHT_URL, HINDSIGHT_GRID, [
  { 'api-key': HINDSIGHT_API_KEY },
  { authorization: `Bearer ${HINDSIGHT_TOKEN}` },
]);
const keyed = [...BLIND_ENGINEER_QUESTIONS, ...BLIND_MANAGER_QUESTIONS];
const later = [
  ...BLIND_SECOND_QUESTIONS,
  ...BLIND_THIRD_QUESTIONS,
  ...BLIND_FOURTH_QUESTIONS,
  ...BLIND_FIFTH_INCIDENT_QUESTIONS,
  ...BLIND_FIFTH_QUESTIONS,
  ...BLIND_SIXTH_QUESTIONS,
];
const questions = [...keyed, ...BLIND_ADMIN_QUESTIONS, ...later];
const [first = 1, last = questions.length] = process.argv.slice(2).map(Number);
let conversationId: string | undefined;
let isMember = false;

for (const [index, { ask, expects, follows, query }] of questions.entries()) {
  const number = index + 1;
  if (number < first || number > last) continue;
  // An API key may not read what only Members administer.
  if (number > keyed.length && !isMember) service.changeCredential();
  isMember = number > keyed.length;
  const answer = await service.ask(ask, follows ? conversationId : undefined);
  conversationId = answer.conversationId;
  console.log(`\n=== ${number}. ${ask}\n--- expected: ${expects}\n${answer.response}`);
  if (query !== undefined)
    console.log(`--- API: ${JSON.stringify(await service.rows(query, answer.response, Date.now()))}`);
}
