import { INTENT_NAMES, type IntentName } from './intent.js';
import { NO_SLOTS, type Slots } from './slots.js';

/** What a conversation is about. */
export interface Focus {
  readonly intent?: IntentName;
  readonly slots: Slots;
  /** Names that the last answer asked to choose from. */
  readonly candidates?: readonly string[];
}

export const NO_FOCUS: Focus = { slots: NO_SLOTS };

/** Of an earlier turn, as a conversation kept it. What another answerer left there is no focus of ours. */
export function focusOf(kept: Readonly<Record<string, unknown>> | undefined): Focus {
  const { intent, slots, candidates } = kept ?? {};
  if (!isSlots(slots)) return NO_FOCUS;
  return {
    slots,
    ...(INTENT_NAMES.includes(intent as IntentName) && { intent: intent as IntentName }),
    ...(isNames(candidates) && { candidates }),
  };
}

function isSlots(value: unknown): value is Slots {
  return typeof value === 'object' && value !== null && 'services' in value && isNames(value.services);
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
