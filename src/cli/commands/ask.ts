import type { Command } from 'commander';
import { withExamples } from '../examples.js';
import { finish } from '../finish.js';
import { path, type ServiceApi } from '../remote/service-api.js';
import { withGrid, withGridOption, type GridOptions } from '../remote/with-grid.js';
import { note, print } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';

interface Reply {
  readonly response: string;
  readonly suggestedFollowUps: readonly string[];
}

export function addAsk(program: Command): void {
  const command = program.command('ask').description('ask the assistant about a Grid, in English')
    .argument('<question>', 'one argument: put it in quotes')
    .action((question: string, options: GridOptions) => finish(() => withGrid(options, async (api, gridId) => {
      const reply = await ask(api, gridId, question);
      print(options.json === true, reply, reply.response.split('\n').map(shownText).join('\n'));
      if (options.json !== true && reply.suggestedFollowUps.length > 0) note(`\nAsk on:\n${reply.suggestedFollowUps.map((each) => `  ${shownText(each)}`).join('\n')}`);
      return true;
    })));
  withExamples(withGridOption(command), 'hindsight ask "why is checkout slow"', 'hindsight ask "what changed in the last hour" --grid shop');
}

/** A session of one question: it gives its place back. */
async function ask(api: ServiceApi, gridId: string, prompt: string): Promise<Reply> {
  const { instanceSecondaryId } = await api.send<{ instanceSecondaryId: string }>('POST', path`/assistant/sessions/${gridId}`);
  try {
    return await api.send<Reply>('POST', path`/assistant/chat/${instanceSecondaryId}`, { prompt });
  } finally {
    await api.send('DELETE', path`/assistant/sessions/${instanceSecondaryId}`);
  }
}
