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

/** Ten units of energy are reserved, of which one is the reply itself. */
const MAX_SOURCES = 9;
const ANSWER_TIMEOUT_MS = 30_000;
/** Relative decline above which a change is a regression. */
const REGRESSION_PERCENT = 20;
/** Reply of an analyst that does not understand the question. */
const NO_ANSWER =
  /\b(?:not|n['’]t) understand\b|\bno service (?:or dependency is named|and no operation matches)\b|\bthere is no (?:trace|span)\b|\bwhich one do you mean\b/i;
/** Intents that need no tool: the assistant itself, and declined requests. */
const INTENTS_WITHOUT_SOURCES: ReadonlySet<Intent> = new Set(['usage', 'help', 'refusal']);

export interface Trial {
  readonly question: EvaluationQuestion;
  readonly answer: Answer;
  readonly queries: readonly RecordedQuery[];
  readonly verdict: AnswerGrade;
  /** The right answer refuses. */
  readonly isRefusalDue: boolean;
}

/** A suggested question that was asked: whether it was answered, and which numbers have no evidence. */
export interface FollowedSuggestion {
  readonly suggestion: string;
  readonly suggestedBy: string;
  readonly isAnswered: boolean;
  readonly unexplained: readonly string[];
  readonly response: string;
}

export type CreateAnswerer = (queries: ToolQueries) => Answerer;

/** Asks an answerer each question in a conversation of its own. */
export class EvaluationRunner {
  private readonly takenUp = new Map<string, FollowedSuggestion>();

  constructor(
    private readonly create: CreateAnswerer,
    private readonly queries: ToolQueries,
    private readonly oracle: ScenarioOracle,
    private readonly mostSources = MAX_SOURCES,
  ) {}

  async ask(question: EvaluationQuestion): Promise<Trial> {
    const queries: RecordedQuery[] = [];
    const answerer = this.create(recordQueries(this.queries, queries));
    const prompts = [...question.after, question.ask];
    let turns: ConversationTurn[] = [];
    let answer: Answer | undefined;
    for (const prompt of prompts) {
      answer = await this.requestAnswer(answerer, prompt, turns);
      turns = [...turns, this.toTurn(prompt, answer)];
    }
    if (answer === undefined) throw new Error('a conversation has one prompt at least');
    const needsSource = !INTENTS_WITHOUT_SOURCES.has(question.intent);
    const facts = [...question.facts(this.oracle), ...this.deriveFacts(queries)];
    const verdict = gradeAnswer({
      prompts,
      answer,
      facts,
      queries,
      nowMs: this.nowMs,
      mostSources: this.mostSources,
      needsSource,
    });
    for (const suggestion of answer.suggestedFollowUps) await this.followSuggestion(suggestion, turns, queries);
    const isRefusalDue = facts.some(({ isRefusal }) => isRefusal === true);
    return { question, answer, queries, verdict, isRefusalDue };
  }

  /** Defaults of the contract (§5) that no tool returns. */
  private deriveFacts(queries: readonly RecordedQuery[]): Fact[] {
    const { numbers, times } = this.oracle.usage.derived;
    const isAsked = (part: string): boolean => queries.some(({ query }) => query.startsWith(part));
    return [
      ...(isAsked('usage.') ? [permits(numbers, times)] : []),
      ...(isAsked('diagnostics.compare') ? [permits([REGRESSION_PERCENT])] : []),
    ];
  }

  /** Each suggestion once, in the conversation in which it first appeared. */
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
    const queries = [...known, ...own];
    const prompts = [...turns.map(({ prompt }) => prompt), suggestion];
    const { unexplained } = gradeAnswer({
      prompts,
      answer,
      facts: this.deriveFacts(queries),
      queries,
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
      { text, gridId: GRID, userId: USER, mayAdminister: true, turns, nowMs: this.nowMs, maxSources: MAX_SOURCES },
      AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    );
  }

  /** As restored from the event log. */
  private toTurn(prompt: string, { response, focus }: Answer): ConversationTurn {
    return { prompt, response, focus: JSON.parse(JSON.stringify(focus)) as ConversationTurn['focus'], at: this.nowMs };
  }

  private get nowMs(): number {
    return this.oracle.story.nowMs;
  }
}
