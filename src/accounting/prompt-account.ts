import { utcDay } from './utc-calendar.js';
import { isReservationCounted, RESERVATION_RETENTION_MS, type Reservation } from './usage-limits.js';

/** Maximum energy of a user for replies across all Grids (contract §5). */
const MAX_ENERGY = 100;
/** Units regenerated every REGENERATION_INTERVAL_MS, up to MAX_ENERGY. */
const REGENERATION_RATE = 10;
const REGENERATION_INTERVAL_MS = 60 * 60_000;
/** A reply costs one unit, plus one per data source used, up to this maximum. */
export const MAX_ENERGY_PER_REPLY = 10;

/** A user's energy at `sinceMs` (ms since 1970), when the next regeneration interval starts. */
export interface EnergyLevel {
  readonly energy: number;
  readonly sinceMs: number;
}

/** Energy of a user without prompts. */
export const FULL_ENERGY: EnergyLevel = { energy: MAX_ENERGY, sinceMs: 0 };

/**
 * The level at a later time: whole intervals have added energy, and the current one continues. For an earlier time, the
 * level itself; full if that is more than an interval earlier: the clock was set back, and nobody knows for how long energy
 * has regenerated.
 */
export function energyLevelAt({ energy, sinceMs }: EnergyLevel, nowMs: number): EnergyLevel {
  if (sinceMs - nowMs > REGENERATION_INTERVAL_MS) return { energy: Math.max(energy, MAX_ENERGY), sinceMs: nowMs };
  const intervals = Math.max(0, Math.floor((nowMs - sinceMs) / REGENERATION_INTERVAL_MS));
  const regenerated = energy + intervals * REGENERATION_RATE;
  // Nothing regenerates while energy is full: the interval starts with the next reply.
  if (regenerated >= MAX_ENERGY) return { energy: Math.max(energy, MAX_ENERGY), sinceMs: Math.max(nowMs, sinceMs) };
  return { energy: regenerated, sinceMs: sinceMs + intervals * REGENERATION_INTERVAL_MS };
}

/** The level after spending `amount`, never below 0: replies given without energy left cost nothing. */
export function spendEnergy(level: EnergyLevel, amount: number, nowMs: number): EnergyLevel {
  const { energy, sinceMs } = energyLevelAt(level, nowMs);
  return { energy: Math.max(0, energy - amount), sinceMs };
}

/** Time of the next regeneration (ms since 1970); with full energy one interval from now. */
export function nextRegenerationMs(level: EnergyLevel, nowMs: number): number {
  return energyLevelAt(level, nowMs).sinceMs + REGENERATION_INTERVAL_MS;
}

/** Energy as shown to the user. */
export interface EnergyFigures {
  readonly currentEnergy: number;
  readonly maxEnergy: number;
  readonly regenerationRate: number;
  readonly regenerationIntervalMinutes: number;
  /** ms since 1970. */
  readonly nextRegeneration: number;
}

export function toEnergyFigures(level: EnergyLevel, nowMs: number): EnergyFigures {
  return {
    currentEnergy: energyLevelAt(level, nowMs).energy,
    maxEnergy: MAX_ENERGY,
    regenerationRate: REGENERATION_RATE,
    regenerationIntervalMinutes: REGENERATION_INTERVAL_MS / 60_000,
    nextRegeneration: nextRegenerationMs(level, nowMs),
  };
}

/** A prompt and the energy of its reply: the maximum while reserved, the actual cost once settled. */
export interface PromptReservation extends Reservation {
  readonly gridId: string;
  readonly energy: number;
  /** When its energy was taken: at the reservation, or at a settlement after the reservation expired. ms since 1970. */
  readonly takenAt: number;
}

/**
 * Energy and prompts of one user across all Grids: the fold of the usage stream. Plain data of bounded size (the
 * reservations of RESERVATION_RETENTION_MS, and one number per Grid for one day).
 */
export interface PromptAccount {
  /** Energy without the prompts in `recent`. */
  readonly level: EnergyLevel;
  /** In the order in which energy was taken. */
  readonly recent: readonly PromptReservation[];
  /** The newest UTC day with prompts that are no longer in `recent`; "" before there is one. */
  readonly day: string;
  /** Number of those prompts on that day, by Grid. */
  readonly prompts: Readonly<Record<string, number>>;
}

/** Account of a user without prompts. */
export const NEW_PROMPT_ACCOUNT: PromptAccount = { level: FULL_ENERGY, recent: [], day: '', prompts: {} };

/** Energy left at `nowMs`; expired reservations do not count. */
export function availableEnergy({ level, recent }: PromptAccount, nowMs: number): EnergyLevel {
  return energyLevelAt(
    recent.filter((prompt) => isReservationCounted(prompt, nowMs)).reduce(subtractEnergy, level),
    nowMs,
  );
}

/** Prompts in a Grid on the UTC day of `nowMs`. A prompt belongs to the day of its reservation. */
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
 * Settles a prompt with its actual cost, at most the reserved energy. If the reservation has expired, its energy was
 * returned and possibly spent, so the cost is taken now. Changes nothing if the account does not contain the
 * reservation.
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

/** Removes the prompt as if it had never been reserved. */
export function refundPrompt(account: PromptAccount, id: string, nowMs: number): PromptAccount {
  return compactPromptAccount({ ...account, recent: account.recent.filter((each) => each.id !== id) }, nowMs);
}

/** Aggregates reservations that are too old to change. */
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
