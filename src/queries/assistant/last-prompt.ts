import { isCounted } from '../../accounting/reservations.js';
import type { PromptsDocument } from '../../read-models/usage.js';

/** When the user sent the newest prompt to the assistant of this Grid that counts at the moment, ms since 1970. */
export function lastPromptAt({ recent, lastPromptAt: settled }: PromptsDocument, gridId: string, nowMs: number): number | undefined {
  const open = recent.filter((prompt) => prompt.gridId === gridId && isCounted(prompt, nowMs)).map(({ reservedAt }) => reservedAt);
  const newest = Math.max(settled[gridId] ?? -Infinity, ...open);
  return newest === -Infinity ? undefined : newest;
}
