import type { ChartConfiguration, Plugin } from 'chart.js';
import type { ChartPicture } from '../queries/charts/questions.js';
import type { Look } from './look.js';
import { planOf, type Plan } from './plan.js';
import { backdrop } from './plugins/backdrop.js';
import { deploymentPlugin } from './plugins/deployment-plugin.js';
import { emptyNote } from './plugins/empty-note.js';
import { headingPlugin } from './plugins/heading-plugin.js';
import { legendPlugin } from './plugins/legend-plugin.js';
import { thresholdPlugin } from './plugins/threshold-plugin.js';
import { timeScale, valueScale } from './scales.js';
import { textWidth } from './text.js';

/**
 * What chart.js is to draw, background included; a pixel of the look is a pixel of the canvas, whatever `devicePixelRatio` is
 * elsewhere. Text is drawn in `defaults.font.family`, which the renderer sets.
 */
export function chartConfiguration(picture: ChartPicture, look: Look): ChartConfiguration {
  const plan = planOf(picture, look);
  const { layout, palette, datasets, isEmpty, time, values, top, bottom } = plan;
  const { chart, data } = picture;
  const isPiled = chart.chartType === 'bar' && data.additive;
  return {
    type: chart.chartType === 'bar' ? 'bar' : 'line',
    data: { datasets },
    options: {
      responsive: false,
      animation: false,
      devicePixelRatio: 1,
      events: [],
      parsing: false,
      normalized: true,
      layout: { padding: { top, bottom, left: layout.padding, right: layout.padding } },
      plugins: { filler: { propagate: false } },
      scales: {
        x: timeScale(time, isPiled, layout, palette),
        y: { ...valueScale(values, isPiled, layout, palette), display: !isEmpty },
      },
    },
    plugins: pluginsOf(picture, plan),
  };
}

function pluginsOf({ chart, data, thresholds }: ChartPicture, { layout, palette, heading, caption, legend, deployments, isEmpty }: Plan): Plugin[] {
  const { padding, textSize } = layout;
  const captionEnd = caption === '' ? 0 : padding + textWidth(caption, textSize) + textSize;
  return [
    backdrop(palette.background),
    headingPlugin(heading, caption, layout, palette),
    legendPlugin(legend, chart.chartType, layout, palette),
    deploymentPlugin(deployments, captionEnd, layout, palette),
    isEmpty ? emptyNote(data.hint ?? '', layout, palette) : thresholdPlugin(thresholds, layout, palette),
  ];
}
