/** Contract §5: what a user may spend on replies, over all Grids. */
const MAX_ENERGY = 100;
/** Units that come back every REGENERATION_INTERVAL_MS, up to MAX_ENERGY. */
const REGENERATION_RATE = 10;
const REGENERATION_INTERVAL_MS = 60 * 60_000;
/** A reply costs one unit, one more for each data source that it consulted, and this at most. */
export const MAX_ENERGY_PER_REPLY = 10;

/** A user's energy at the moment `sinceMs`, ms since 1970: from then on the next interval runs. */
export interface EnergyLevel {
  readonly energy: number;
  readonly sinceMs: number;
}

/** What somebody has who never asked. */
export const FULL_ENERGY: EnergyLevel = { energy: MAX_ENERGY, sinceMs: 0 };

/** The level at a later moment: whole intervals have brought energy, and the one that runs goes on. Of a moment before it, the level itself. */
export function energyLevelAt({ energy, sinceMs }: EnergyLevel, nowMs: number): EnergyLevel {
  const intervals = Math.max(0, Math.floor((nowMs - sinceMs) / REGENERATION_INTERVAL_MS));
  const regained = energy + intervals * REGENERATION_RATE;
  // Nothing regenerates while energy is full: the interval begins with the next reply.
  if (regained >= MAX_ENERGY) return { energy: Math.max(energy, MAX_ENERGY), sinceMs: Math.max(nowMs, sinceMs) };
  return { energy: regained, sinceMs: sinceMs + intervals * REGENERATION_INTERVAL_MS };
}

/** After spending some of it. Never below 0: what was given although nothing was left costs nothing. */
export function spendEnergy(level: EnergyLevel, amount: number, nowMs: number): EnergyLevel {
  const { energy, sinceMs } = energyLevelAt(level, nowMs);
  return { energy: Math.max(0, energy - amount), sinceMs };
}

/** When the next energy comes; with full energy one interval from now. */
export function nextRegenerationMs(level: EnergyLevel, nowMs: number): number {
  return energyLevelAt(level, nowMs).sinceMs + REGENERATION_INTERVAL_MS;
}

/** What somebody is told of their energy. */
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
