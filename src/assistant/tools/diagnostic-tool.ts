import type { When } from '../../diagnostics/timeframe.js';
import type { Source } from '../answer.js';
import type { Tool, ToolQueries } from '../tool.js';
import { argumentsOf } from './arguments.js';
import { presented, type Presented } from './presented.js';
import { whenOf, WINDOW_FIELDS, windowFault, windowInWords, type WindowArguments } from './window.js';

export interface Diagnostic<Answer> {
  readonly name: string;
  readonly description: string;
  readonly ask: (queries: ToolQueries['diagnostics'], gridId: string, when: When) => Promise<Answer>;
  /** What it is called among sources, and how much of it there is. */
  readonly source: (answer: Answer) => Omit<Source, 'description'> & { readonly found: string };
  /** The window of a question that says nothing of one, in words. */
  readonly window?: (given: WindowArguments) => string;
}

/** A tool around a diagnostic that takes nothing but a moment or a window; its data are under `answer`. */
export function diagnosticTool<Answer>({ name, description, ask, source, window = windowInWords }: Diagnostic<Answer>): Tool<WindowArguments, { readonly answer: Presented<Answer> }> {
  return {
    name,
    description,
    ...argumentsOf(WINDOW_FIELDS, windowFault),
    async run({ queries, gridId }, given) {
      const answer = await ask(queries.diagnostics, gridId, whenOf(given));
      const { found, ...rest } = source(answer);
      return { data: { answer: presented(answer) }, source: { ...rest, description: `${found}, ${window(given)}` } };
    },
  };
}
