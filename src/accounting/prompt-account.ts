import { utcDay } from './utc-calendar.js';
import { energyLevelAt, FULL_ENERGY, spendEnergy, type EnergyLevel } from './prompt-energy.js';
import { isReservationCounted, RESERVATION_RETENTION_MS, type Reservation } from './usage-limits.js';

/** A prompt and what its reply costs: at most so much while it is reserved, exactly so much once it is settled. */
export interface PromptReservation extends Reservation {
  readonly gridId: string;
  readonly energy: number;
  /** From when on its energy is gone: its reservation, or its settlement where that came after it had lapsed. ms since 1970. */
  readonly takenAt: number;
}

/**
 * Energy and prompts of one user over all Grids: what the events of the usage stream add up to. Plain data of bounded size
 * (no more than the reservations of REMEMBERED_MS, and a number for each Grid of one day).
 */
export interface PromptAccount {
  /** Before `recent`. */
  readonly level: EnergyLevel;
  /** In the order in which energy was taken. */
  readonly recent: readonly PromptReservation[];
  /** The newest UTC day that has prompts which are no longer in `recent`; "" before there is one. */
  readonly day: string;
  /** Those prompts of that day, by Grid. */
  readonly prompts: Readonly<Record<string, number>>;
}

/** Of somebody who never asked. */
export const NEW_PROMPT_ACCOUNT: PromptAccount = { level: FULL_ENERGY, recent: [], day: '', prompts: {} };

/** What is left at the moment: reservations that lapsed by then never took anything. */
export function availableEnergy({ level, recent }: PromptAccount, nowMs: number): EnergyLevel {
  return energyLevelAt(
    recent.filter((prompt) => isReservationCounted(prompt, nowMs)).reduce(subtractEnergy, level),
    nowMs,
  );
}

/** Prompts in a Grid on the UTC day of the moment; the day of a prompt is that of its reservation. */
export function countPrompts({ recent, day, prompts }: PromptAccount, gridId: string, nowMs: number): number {
  const today = utcDay(nowMs);
  const counted = recent.filter(
    (prompt) => prompt.gridId === gridId && isReservationCounted(prompt, nowMs) && utcDay(prompt.reservedAt) === today,
  );
  return counted.length + (day === today ? (prompts[gridId] ?? 0) : 0);
}

export function reservePrompt(
  account: PromptAccount,
  { id, gridId, energy }: Pick<PromptReservation, 'id' | 'gridId' | 'energy'>,
  nowMs: number,
): PromptAccount {
  const { recent, ...rest } = compactPromptAccount(account, nowMs);
  return { ...rest, recent: [...recent, { id, gridId, energy, reservedAt: nowMs, takenAt: nowMs, isSettled: false }] };
}

/**
 * The reply was given and cost so much, no more than was reserved. What was spent in time was spent when it was reserved.
 * After the reservation has lapsed others may have spent what came back, so that it is taken now. Changes nothing where the
 * account does not know the reservation.
 */
export function settlePrompt(account: PromptAccount, id: string, energy: number, nowMs: number): PromptAccount {
  const prompt = account.recent.find((each) => each.id === id);
  if (prompt === undefined) return compactPromptAccount(account, nowMs);
  const settled = { ...prompt, energy, isSettled: true };
  const recent = isReservationCounted(prompt, nowMs)
    ? account.recent.map((each) => (each === prompt ? settled : each))
    : [...account.recent.filter((each) => each !== prompt), { ...settled, takenAt: nowMs }];
  return compactPromptAccount({ ...account, recent }, nowMs);
}

/** There was no reply: as if the prompt had never been. */
export function refundPrompt(account: PromptAccount, id: string, nowMs: number): PromptAccount {
  return compactPromptAccount({ ...account, recent: account.recent.filter((each) => each.id !== id) }, nowMs);
}

/** Adds up what is too old to change any more. */
function compactPromptAccount(account: PromptAccount, nowMs: number): PromptAccount {
  const isOld = ({ takenAt }: PromptReservation): boolean => nowMs - takenAt >= RESERVATION_RETENTION_MS;
  if (!account.recent.some(isOld)) return account;
  const old = account.recent.filter((prompt) => isOld(prompt) && prompt.isSettled);
  const { level, ...rest } = { ...account, recent: account.recent.filter((prompt) => !isOld(prompt)) };
  return old.reduce(addToDailyPrompts, { ...rest, level: old.reduce(subtractEnergy, level) });
}

function subtractEnergy(level: EnergyLevel, { energy, takenAt }: PromptReservation): EnergyLevel {
  return spendEnergy(level, energy, takenAt);
}

function addToDailyPrompts(account: PromptAccount, { gridId, reservedAt }: PromptReservation): PromptAccount {
  const day = utcDay(reservedAt);
  if (day < account.day) return account;
  const prompts = day === account.day ? account.prompts : {};
  return { ...account, day, prompts: { ...prompts, [gridId]: (prompts[gridId] ?? 0) + 1 } };
}
