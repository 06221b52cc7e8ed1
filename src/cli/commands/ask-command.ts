import type { Command } from 'commander';
import { withExamples } from '../command-definition.js';
import { runToExitStatus } from '../exit-status.js';
import { buildApiPath, type ServiceApiClient } from '../../operations/administration/service-api-client.js';
import { withRemoteGrid, addGridOption, type GridOptions } from '../command-target.js';
import { escapeTerminalControls, printNote, printResult } from '../terminal-output.js';

interface AssistantReply {
  readonly response: string;
  readonly suggestedFollowUps: readonly string[];
}

export function addAsk(program: Command): void {
  const command = program
    .command('ask')
    .description('ask the assistant about a Grid, in English')
    .argument('<question>', 'the question, in quotes')
    .action((question: string, options: GridOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const reply = await askAssistant(api, gridId, question);
          printResult(options.json === true, reply, reply.response.split('\n').map(escapeTerminalControls).join('\n'));
          if (options.json !== true && reply.suggestedFollowUps.length > 0)
            printNote(
              `\nSuggested questions:\n${reply.suggestedFollowUps.map((each) => `  ${escapeTerminalControls(each)}`).join('\n')}`,
            );
          return true;
        }),
      ),
    );
  withExamples(
    addGridOption(command),
    'hindsight ask "why is checkout slow"',
    'hindsight ask "what changed in the last hour" --grid shop',
  );
}

/** Opens a session for one question, and always closes it: sessions are limited. */
async function askAssistant(api: ServiceApiClient, gridId: string, prompt: string): Promise<AssistantReply> {
  const { instanceSecondaryId } = await api.send<{ instanceSecondaryId: string }>(
    'POST',
    buildApiPath`/assistant/sessions/${gridId}`,
  );
  try {
    return await api.send<AssistantReply>('POST', buildApiPath`/assistant/chat/${instanceSecondaryId}`, { prompt });
  } finally {
    await api.send('DELETE', buildApiPath`/assistant/sessions/${instanceSecondaryId}`);
  }
}
