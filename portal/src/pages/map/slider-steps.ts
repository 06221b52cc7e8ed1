const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A slider has about so many steps. */
const TARGET_STEPS = 36;
/** Steps that one can say, in minutes. */
const STEP_MINUTES = [1, 2, 5, 10, 15, 20, 30, 60, 120, 240];
const MAX_STEP_MINUTES = 360;

export interface SliderSteps {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** The moments that a slider stops at: the view's stretch, at least three hours, in round steps; the last one is the end of the view. */
export function computeSliderSteps({ from, to }: { readonly from: number; readonly to: number }): SliderSteps {
  const length = Math.max(to - from, 3 * HOUR_MS);
  const stepMs =
    (STEP_MINUTES.find((minutes) => length / (minutes * MINUTE_MS) <= TARGET_STEPS) ?? MAX_STEP_MINUTES) * MINUTE_MS;
  const last = Math.floor(to / stepMs) * stepMs;
  return { from: last - Math.floor(length / stepMs) * stepMs, to: last, stepMs };
}
