import type { Source } from '../answer.js';
import type { Tool, ToolContext } from '../tool.js';
import { argumentsOf } from './arguments.js';

export type NoArguments = Readonly<Record<never, never>>;

interface Plain<Data extends object> {
  readonly name: string;
  readonly description: string;
  readonly ask: (context: ToolContext) => Promise<Data>;
  readonly source: (data: Data) => Source;
}

/** A tool without arguments. */
export function plainTool<Data extends object>({ name, description, ask, source }: Plain<Data>): Tool<NoArguments, Data> {
  return {
    name,
    description,
    ...argumentsOf<NoArguments>({}),
    async run(context) {
      const data = await ask(context);
      return { data, source: source(data) };
    },
  };
}
