import type { Answer, Answerer } from '../../src/assistant/answerer.js';
import type { ToolQueries } from '../../src/assistant/tool.js';
import type { ConversationTurn } from '../../src/commands/assistant/assistant-commands.js';
import { permits, type Fact } from './expected-facts.js';
import type { ScenarioOracle } from './scenario-oracle.js';
import type { Intent, EvaluationQuestion } from './evaluation-question.js';
import { recordQueries, type RecordedQuery } from './query-recorder.js';
import { GRID } from './scenario/scenario-read-models.js';
import { USER } from './scenario/scenario-usage.js';
import { gradeAnswer, type AnswerGrade } from './answer-grading.js';

/** Of the ten units of energy that a reply may cost, one is the reply itself. */
const MAX_SOURCES = 9;
const ANSWER_TIMEOUT_MS = 30_000;
/** What got worse by more than this is a regression. */
const REGRESSION_PERCENT = 20;
/** Says an analyst that does not know what is meant. */
const NO_ANSWER = /\b(?:not|n['’]t) understand\b|\bI know no\b|\bwhich one do you mean\b/i;
/** What the assistant knows of itself, and what it declines. */
const INTENTS_WITHOUT_SOURCES: ReadonlySet<Intent> = new Set(['usage', 'help', 'refusal']);

export interface Trial {
  readonly question: EvaluationQuestion;
  readonly answer: Answer;
  readonly asked: readonly RecordedQuery[];
  readonly verdict: AnswerGrade;
}

/** A suggestion that was taken up: whether there was an answer, and what of it nothing explains. */
export interface FollowedSuggestion {
  readonly suggestion: string;
  readonly suggestedBy: string;
  readonly isAnswered: boolean;
  readonly unexplained: readonly string[];
  readonly response: string;
}

export type CreateAnswerer = (queries: ToolQueries) => Answerer;

/** Puts questions to an answerer, each in a conversation of its own. */
export class EvaluationRunner {
  private readonly takenUp = new Map<string, FollowedSuggestion>();

  constructor(
    private readonly create: CreateAnswerer,
    private readonly queries: ToolQueries,
    private readonly oracle: ScenarioOracle,
    private readonly mostSources = MAX_SOURCES,
  ) {}

  async ask(question: EvaluationQuestion): Promise<Trial> {
    const asked: RecordedQuery[] = [];
    const answerer = this.create(recordQueries(this.queries, asked));
    const prompts = [...question.after, question.ask];
    let turns: ConversationTurn[] = [];
    let answer: Answer | undefined;
    for (const prompt of prompts) {
      answer = await this.requestAnswer(answerer, prompt, turns);
      turns = [...turns, this.toTurn(prompt, answer)];
    }
    if (answer === undefined) throw new Error('a conversation has one prompt at least');
    const needsSource = !INTENTS_WITHOUT_SOURCES.has(question.intent);
    const facts = [...question.facts(this.oracle), ...this.deriveFacts(asked)];
    const verdict = gradeAnswer({
      prompts,
      answer,
      facts,
      asked,
      nowMs: this.nowMs,
      mostSources: this.mostSources,
      needsSource,
    });
    for (const suggestion of answer.suggestedFollowUps) await this.followSuggestion(suggestion, turns, asked);
    return { question, answer, asked, verdict };
  }

  /** What follows from these questions by the contract (§5), and no tool says. */
  private deriveFacts(asked: readonly RecordedQuery[]): Fact[] {
    const { numbers, times } = this.oracle.usage.derived;
    const isAsked = (part: string): boolean => asked.some(({ query }) => query.startsWith(part));
    return [
      ...(isAsked('usage.') ? [permits(numbers, times)] : []),
      ...(isAsked('diagnostics.compare') ? [permits([REGRESSION_PERCENT])] : []),
    ];
  }

  /** Each suggestion once, in the conversation in which it came up first. */
  get suggestions(): readonly FollowedSuggestion[] {
    return [...this.takenUp.values()];
  }

  private async followSuggestion(
    suggestion: string,
    turns: readonly ConversationTurn[],
    known: readonly RecordedQuery[],
  ): Promise<void> {
    if (this.takenUp.has(suggestion)) return;
    const own: RecordedQuery[] = [];
    const answer = await this.requestAnswer(this.create(recordQueries(this.queries, own)), suggestion, turns);
    const asked = [...known, ...own];
    const prompts = [...turns.map(({ prompt }) => prompt), suggestion];
    const { unexplained } = gradeAnswer({
      prompts,
      answer,
      facts: this.deriveFacts(asked),
      asked,
      nowMs: this.nowMs,
      mostSources: this.mostSources,
      needsSource: false,
    });
    const isAnswered = answer.sources.length > 0 || !NO_ANSWER.test(answer.response);
    this.takenUp.set(suggestion, {
      suggestion,
      suggestedBy: turns[turns.length - 1].prompt,
      isAnswered,
      unexplained,
      response: answer.response,
    });
  }

  private requestAnswer(answerer: Answerer, text: string, turns: readonly ConversationTurn[]): Promise<Answer> {
    return answerer.answer(
      { text, gridId: GRID, userId: USER, turns, nowMs: this.nowMs, mostSources: this.mostSources },
      AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    );
  }

  /** As the log brings it back. */
  private toTurn(prompt: string, { response, focus }: Answer): ConversationTurn {
    return { prompt, response, focus: JSON.parse(JSON.stringify(focus)) as ConversationTurn['focus'], at: this.nowMs };
  }

  private get nowMs(): number {
    return this.oracle.story.nowMs;
  }
}
