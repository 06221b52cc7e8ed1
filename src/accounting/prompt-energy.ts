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
 * level itself.
 */
export function energyLevelAt({ energy, sinceMs }: EnergyLevel, nowMs: number): EnergyLevel {
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
