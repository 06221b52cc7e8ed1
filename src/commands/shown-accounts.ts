import type { Position } from '../streams/event-store.js';
import type { AssistantCommands } from './assistant-commands.js';
import type { Done } from './grid-commands.js';

/**
 * The same commands, but for what the assistant is charged with: that resolves once it shows. So an answer about usage counts
 * the very prompt that it answers, and whoever was answered sees at the next question what it cost. It is done, whether or not
 * it shows in time.
 * @param whenAt resolves when read models have reached the position, or after a while
 */
export function shownAccounts(commands: AssistantCommands, whenAt: (position: Position) => Promise<unknown>): AssistantCommands {
  const shown = async <D extends Done>(doing: Promise<D>): Promise<D> => {
    const done = await doing;
    await whenAt(done.position).catch(() => undefined);
    return done;
  };
  return {
    ...commands,
    reservePrompt: (...prompt) => shown(commands.reservePrompt(...prompt)),
    settlePrompt: (...prompt) => shown(commands.settlePrompt(...prompt)),
    refundPrompt: (...prompt) => shown(commands.refundPrompt(...prompt)),
    settleSpeech: (...speech) => shown(commands.settleSpeech(...speech)),
    refundSpeech: (...speech) => shown(commands.refundSpeech(...speech)),
  };
}
