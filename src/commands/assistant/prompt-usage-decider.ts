import { startOfNextDay } from '../../accounting/utc-calendar.js';
import {
  MAX_ENERGY_PER_REPLY,
  nextRegenerationMs,
  availableEnergy,
  NEW_PROMPT_ACCOUNT,
  countPrompts,
  refundPrompt,
  reservePrompt,
  settlePrompt,
  type PromptAccount,
} from '../../accounting/prompt-account.js';
import { isReservationCounted, findReservation } from '../../accounting/usage-limits.js';
import type { UsageEvent } from '../../streams/events/assistant-events.js';
import { reject, rejectUntil, type Decider, type Decision } from '../decider.js';
import { toFieldErrors, checkWholeNumber } from '../field-validation.js';

interface UserScopedCommand {
  readonly userId: string;
  readonly promptId: string;
  /** ms since 1970. */
  readonly at: number;
}

interface ReservePrompt extends UserScopedCommand {
  readonly type: 'ReservePrompt';
  readonly gridId: string;
  readonly dailyPromptLimit: number;
}

interface SettlePrompt extends UserScopedCommand {
  readonly type: 'SettlePrompt';
  readonly energy: number;
}

interface RefundPrompt extends UserScopedCommand {
  readonly type: 'RefundPrompt';
}

export type UsageCommand = ReservePrompt | SettlePrompt | RefundPrompt;
const NO_CHANGE: readonly UsageEvent[] = [];
const eventTypes: ReadonlySet<string> = new Set<UsageEvent['type']>([
  'PromptReserved.v1',
  'PromptSettled.v1',
  'PromptRefunded.v1',
]);

/** Prompts and energy of one user across all Grids. */
export const usageDecider: Decider<UsageCommand, PromptAccount, UsageEvent> = {
  eventTypes,
  initialState: NEW_PROMPT_ACCOUNT,
  decide,
  evolve,
};

function decide(command: UsageCommand, account: PromptAccount): Decision<UsageEvent> {
  switch (command.type) {
    case 'ReservePrompt':
      return reserve(command, account);
    case 'SettlePrompt':
      return settle(command, account);
    case 'RefundPrompt':
      return refund(command, account);
    default:
      return throwUnknownCommand(command);
  }
}

function reserve(
  { userId, gridId, promptId, dailyPromptLimit, at }: ReservePrompt,
  account: PromptAccount,
): Decision<UsageEvent> {
  if (dailyPromptLimit <= 0) return reject('assistant-disabled', 'The assistant is disabled for this Grid.');
  if (countPrompts(account, gridId, at) >= dailyPromptLimit) {
    return rejectUntil(
      startOfNextDay(at),
      'daily-prompt-limit',
      `You have used all of today's prompts: ${dailyPromptLimit} a day for each user of this Grid.`,
    );
  }
  const level = availableEnergy(account, at);
  if (level.energy < 1)
    return rejectUntil(
      nextRegenerationMs(level, at),
      'energy-exhausted',
      'You have no energy left for a reply. Energy regenerates over time.',
    );
  return [
    {
      type: 'PromptReserved.v1',
      data: { userId, gridId, promptId, energy: Math.min(MAX_ENERGY_PER_REPLY, level.energy), at },
    },
  ];
}

/**
 * Settling again changes nothing. After the reservation expired, it costs at most the remaining energy, because other
 * prompts may have used the returned energy.
 */
function settle({ userId, promptId, energy, at }: SettlePrompt, account: PromptAccount): Decision<UsageEvent> {
  const prompt = findReservation(account.recent, promptId, at);
  if (prompt === undefined)
    return reject('not-found', 'There is no such reservation: it never existed, was refunded, or expired long ago.');
  if (prompt.isSettled) return NO_CHANGE;
  const errors = toFieldErrors('energy', checkWholeNumber(energy, { min: 0, max: prompt.energy }));
  if (errors.length > 0) return reject('invalid-request', 'A reply cannot cost more than was reserved.', errors);
  const charged = isReservationCounted(prompt, at) ? energy : Math.min(energy, availableEnergy(account, at).energy);
  return [
    {
      type: 'PromptSettled.v1',
      data: { userId, gridId: prompt.gridId, promptId, energy: charged, reservedAt: prompt.reservedAt, at },
    },
  ];
}

/** Changes nothing for settled prompts, and for expired reservations, which have already been returned. */
function refund({ userId, promptId, at }: RefundPrompt, account: PromptAccount): Decision<UsageEvent> {
  const prompt = findReservation(account.recent, promptId, at);
  if (prompt === undefined || prompt.isSettled || !isReservationCounted(prompt, at)) return NO_CHANGE;
  return [
    { type: 'PromptRefunded.v1', data: { userId, gridId: prompt.gridId, promptId, reservedAt: prompt.reservedAt, at } },
  ];
}

function evolve(account: PromptAccount, { type, data }: UsageEvent): PromptAccount {
  switch (type) {
    case 'PromptReserved.v1':
      return reservePrompt(account, { id: data.promptId, gridId: data.gridId, energy: data.energy }, data.at);
    case 'PromptSettled.v1':
      return settlePrompt(account, data.promptId, data.energy, data.at);
    case 'PromptRefunded.v1':
      return refundPrompt(account, data.promptId, data.at);
    default:
      return throwUnknownEvent(type);
  }
}

function throwUnknownCommand(command: never): never {
  throw new Error(`Unknown command ${JSON.stringify(command)}`);
}

function throwUnknownEvent(type: never): never {
  throw new Error(`Unknown event ${JSON.stringify(type)}`);
}
