import type { AssistantCommands } from './assistant-commands.js';
import { shown, type Showing } from './shown.js';

/**
 * The same commands, but for what the assistant is charged with: that resolves once it shows. So an answer about usage counts
 * the very prompt that it answers, and whoever was answered sees at the next question what it cost.
 */
export function shownAccounts(commands: AssistantCommands, showing: Showing): AssistantCommands {
  return {
    ...commands,
    reservePrompt: (...prompt) => shown(showing, commands.reservePrompt(...prompt)),
    settlePrompt: (...prompt) => shown(showing, commands.settlePrompt(...prompt)),
    refundPrompt: (...prompt) => shown(showing, commands.refundPrompt(...prompt)),
    settleSpeech: (...speech) => shown(showing, commands.settleSpeech(...speech)),
    refundSpeech: (...speech) => shown(showing, commands.refundSpeech(...speech)),
  };
}
