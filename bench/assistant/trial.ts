import type { Answer, Answerer } from '../../src/assistant/answer.js';
import type { ToolQueries } from '../../src/assistant/tool.js';
import type { Turn } from '../../src/commands/assistant-commands.js';
import { permits, type Fact } from './facts.js';
import type { Oracle } from './oracle.js';
import type { Intent, Question } from './question.js';
import { recording, type Asked } from './recording.js';
import { GRID } from './scenario/world.js';
import { USER } from './scenario/usage.js';
import { judge, type Verdict } from './verdict.js';

/** Of the ten units of energy that a reply may cost, one is the reply itself. */
const MOST_SOURCES = 9;
const PATIENCE_MS = 30_000;
/** What got worse by more than this is a regression. */
const REGRESSION_PERCENT = 20;
/** Says an analyst that does not know what is meant. */
const NO_ANSWER = /\b(?:not|n['’]t) understand\b|\bI know no\b|\bwhich one do you mean\b/i;
/** What the assistant knows of itself, and what it declines. */
const SOURCELESS: ReadonlySet<Intent> = new Set(['usage', 'help', 'refusal']);

export interface Trial {
  readonly question: Question;
  readonly answer: Answer;
  readonly asked: readonly Asked[];
  readonly verdict: Verdict;
}

/** A suggestion that was taken up: whether there was an answer, and what of it nothing explains. */
export interface TakenUp {
  readonly suggestion: string;
  readonly suggestedBy: string;
  readonly isAnswered: boolean;
  readonly unexplained: readonly string[];
  readonly response: string;
}

export type CreateAnswerer = (queries: ToolQueries) => Answerer;

/** Puts questions to an answerer, each in a conversation of its own. */
export class Examination {
  private readonly takenUp = new Map<string, TakenUp>();

  constructor(
    private readonly create: CreateAnswerer,
    private readonly queries: ToolQueries,
    private readonly oracle: Oracle,
    private readonly mostSources = MOST_SOURCES,
  ) {}

  async ask(question: Question): Promise<Trial> {
    const asked: Asked[] = [];
    const answerer = this.create(recording(this.queries, asked));
    const prompts = [...question.after, question.ask];
    let turns: Turn[] = [];
    let answer: Answer | undefined;
    for (const prompt of prompts) {
      answer = await this.answerOf(answerer, prompt, turns);
      turns = [...turns, this.turnOf(prompt, answer)];
    }
    if (answer === undefined) throw new Error('a conversation has one prompt at least');
    const needsSource = !SOURCELESS.has(question.intent);
    const facts = [...question.facts(this.oracle), ...this.derivedFrom(asked)];
    const verdict = judge({ prompts, answer, facts, asked, nowMs: this.nowMs, mostSources: this.mostSources, needsSource });
    for (const suggestion of answer.suggestedFollowUps) await this.takeUp(suggestion, turns, asked);
    return { question, answer, asked, verdict };
  }

  /** What follows from these questions by the contract (§5), and no tool says. */
  private derivedFrom(asked: readonly Asked[]): Fact[] {
    const { numbers, times } = this.oracle.usage.derived;
    const isAsked = (part: string): boolean => asked.some(({ query }) => query.startsWith(part));
    return [...(isAsked('usage.') ? [permits(numbers, times)] : []), ...(isAsked('diagnostics.compare') ? [permits([REGRESSION_PERCENT])] : [])];
  }

  /** Each suggestion once, in the conversation in which it came up first. */
  get suggestions(): readonly TakenUp[] {
    return [...this.takenUp.values()];
  }

  private async takeUp(suggestion: string, turns: readonly Turn[], known: readonly Asked[]): Promise<void> {
    if (this.takenUp.has(suggestion)) return;
    const own: Asked[] = [];
    const answer = await this.answerOf(this.create(recording(this.queries, own)), suggestion, turns);
    const asked = [...known, ...own];
    const prompts = [...turns.map(({ prompt }) => prompt), suggestion];
    const { unexplained } = judge({ prompts, answer, facts: this.derivedFrom(asked), asked, nowMs: this.nowMs, mostSources: this.mostSources, needsSource: false });
    const isAnswered = answer.sources.length > 0 || !NO_ANSWER.test(answer.response);
    this.takenUp.set(suggestion, { suggestion, suggestedBy: turns[turns.length - 1].prompt, isAnswered, unexplained, response: answer.response });
  }

  private answerOf(answerer: Answerer, text: string, turns: readonly Turn[]): Promise<Answer> {
    return answerer.answer({ text, gridId: GRID, userId: USER, turns, nowMs: this.nowMs, mostSources: this.mostSources }, AbortSignal.timeout(PATIENCE_MS));
  }

  /** As the log brings it back. */
  private turnOf(prompt: string, { response, focus }: Answer): Turn {
    return { prompt, response, focus: JSON.parse(JSON.stringify(focus)) as Turn['focus'], at: this.nowMs };
  }

  private get nowMs(): number {
    return this.oracle.story.nowMs;
  }
}
