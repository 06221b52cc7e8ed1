const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Approximate number of slider steps. */
const TARGET_STEPS = 36;
/** Allowed step lengths, in minutes. */
const STEP_MINUTES = [1, 2, 5, 10, 15, 20, 30, 60, 120, 240];
const MAX_STEP_MINUTES = 360;

export interface SliderSteps {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** Range (ms since 1970) and step (ms) of the slider: the time view or at least three hours, rounded down to whole steps. */
export function computeSliderSteps({ from, to }: { readonly from: number; readonly to: number }): SliderSteps {
  const length = Math.max(to - from, 3 * HOUR_MS);
  const stepMs =
    (STEP_MINUTES.find((minutes) => length / (minutes * MINUTE_MS) <= TARGET_STEPS) ?? MAX_STEP_MINUTES) * MINUTE_MS;
  const last = Math.floor(to / stepMs) * stepMs;
  return { from: last - Math.floor(length / stepMs) * stepMs, to: last, stepMs };
}
