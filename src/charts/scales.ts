import type { ChartOptions, Scale, ScriptableScaleContext } from 'chart.js';
import type { Layout } from './layout.js';
import type { Palette } from './palette.js';
import type { Axis } from './value-axis.js';

type ScaleOptions = NonNullable<NonNullable<ChartOptions<'line' | 'bar'>['scales']>[string]>;

/** Time along the bottom: ticks at round times, no lines, since a line upwards is a deployment. */
export function timeScale(axis: Axis, stacked: boolean, layout: Layout, palette: Palette): ScaleOptions {
  const { textSize, showsTicks } = layout;
  return {
    ...common(axis, layout, palette),
    position: 'bottom',
    // Bars would ask for half a step on either side.
    offset: false,
    stacked,
    grid: { offset: false, drawOnChartArea: false, drawTicks: showsTicks, tickLength: textSize * 0.35, tickColor: palette.axis },
    // Below the series: a line of zeros is something to see.
    border: { display: true, color: palette.axis, width: layout.scale, z: -1 },
  };
}

/** Values at the left, with a line through the chart for each tick. */
export function valueScale(axis: Axis, stacked: boolean, layout: Layout, palette: Palette): ScaleOptions {
  return {
    ...common(axis, layout, palette),
    position: 'left',
    stacked,
    grid: { color: ({ tick }: ScriptableScaleContext) => (tick.major ? palette.axis : palette.grid), lineWidth: layout.scale, drawTicks: false },
    border: { display: false },
  };
}

function common({ min, max, ticks }: Axis, { textSize, showsTicks }: Layout, palette: Palette) {
  return {
    type: 'linear' as const,
    min,
    max,
    afterBuildTicks: (scale: Scale) => {
      scale.ticks = ticks.map(({ value, strong }) => ({ value, major: strong }));
    },
    ticks: {
      display: showsTicks,
      autoSkip: false,
      maxRotation: 0,
      padding: textSize * 0.5,
      color: palette.text,
      font: { size: textSize },
      callback: (_value: unknown, index: number) => ticks[index]?.label ?? '',
    },
  };
}
