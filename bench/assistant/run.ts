import { createAnalyst } from '../../src/assistant/analyst/analyst.js';
import { Oracle } from './oracle.js';
import type { Question } from './question.js';
import { NIGHT_QUESTIONS } from './questions-at-night.js';
import { QUESTIONS_AT_THREE } from './questions-at-three.js';
import { HELD_OUT_QUESTIONS } from './questions-held-out.js';
import { MORNING_QUESTIONS } from './questions-in-the-morning.js';
import { QUESTIONS } from './questions.js';
import { brokenSuggestions, failuresOf, isPassed, LEAST_RIGHT, scoreOf, suggestionsOf, tableOf } from './report.js';
import { NOW_MS, scenarioAt } from './scenario/scenario.js';
import { World } from './scenario/world.js';
import { Examination, type Trial } from './trial.js';

/**
 * Asks the built-in analyst: `npm run bench:assistant [-- --all] [part of a question or intent]`. Exits with 1 below 90 % right,
 * with a number that nothing explains, or a suggestion without an answer. Of questions that are held out no more than the
 * outcome is told, so that whoever works on the analyst can run this; `--all` shows what was answered.
 */
const showsAll = process.argv.includes('--all');
const part = process.argv.slice(2).find((argument) => !argument.startsWith('--'))?.toLowerCase() ?? '';

const isAsked = ({ intent, after, ask }: Question): boolean => [intent, ...after, ask].some((text) => text.toLowerCase().includes(part));

const oracle = new Oracle(scenarioAt(NOW_MS));
const world = await World.of(oracle.scenario);
const examination = new Examination(createAnalyst, world.queries, oracle);

async function askAll(questions: readonly Question[]): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const question of questions.filter(isAsked)) trials.push(await examination.ask(question));
  return trials;
}

const open = await askAll(QUESTIONS);
const heldOut = await askAll(HELD_OUT_QUESTIONS);
const atNight = await askAll(NIGHT_QUESTIONS);
const inTheMorning = await askAll(MORNING_QUESTIONS);
const atThree = await askAll(QUESTIONS_AT_THREE);
await world.close();
const unread = [...heldOut, ...atNight, ...inTheMorning, ...atThree];

console.log(`${failuresOf([...open, ...(showsAll ? unread : [])])}\n`);
console.log(`${tableOf('questions', open)}\n\n${tableOf('held out', heldOut)}\n\n${tableOf('at night', atNight)}\n\n${tableOf('in the morning', inTheMorning)}\n\n${tableOf('at three', atThree)}\n\n${suggestionsOf(examination.suggestions)}`);
// The open questions are read by whoever works on the analyst: people ask like the others.
if (scoreOf(unread).rightShare < LEAST_RIGHT) console.log(`\nof the held-out questions less than ${LEAST_RIGHT} % are answered right: the analyst knows the open ones better than people`);
const all = [...open, ...unread];
if (!isPassed(all) || brokenSuggestions(examination.suggestions).length > 0) {
  console.error(`\nat least ${LEAST_RIGHT} % of all questions have to be answered right, none with a wrong number, and every suggestion has to be answered`);
  process.exitCode = 1;
}
