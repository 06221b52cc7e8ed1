import type { Chart } from '../diagnostics/chart-model.js';
import type { ChartPicture } from '../queries/charts/chart-query-types.js';
import type { ChartLayout } from './chart-layout.js';
import type { PanelRenderOptions } from './render-options.js';
import { BOLD_WIDTH_FACTOR, sanitizeText, textWidth, truncateEnd } from './chart-text.js';
import { formatStep, formatTimeRange } from './time-axis.js';
import type { Plugin } from 'chart.js';
import type { Palette } from './colour-palette.js';
import { drawText, withSavedState } from './canvas-drawing.js';

/** Texts above the chart, cut to its width, and the pixels that they take. */
export interface Heading {
  readonly title: string;
  readonly subtitle: string;
  readonly height: number;
}

/** In multiples of the size of the text. */
const MIN_NAME_WIDTH = 12;
const PART_SEPARATOR = ' · ';

/** `beside`: what else is to be told, such as the peak where no legend tells it. A part of a board leaves out what the board says. */
export function computeHeading(
  picture: ChartPicture,
  layout: ChartLayout,
  beside: string,
  part?: PanelRenderOptions,
): Heading {
  const { padding, titleSize, textSize, showsSubtitle } = layout;
  const room = layout.width - 2 * padding;
  const subtitle =
    part === undefined
      ? buildSubtitle(picture, beside, room, textSize)
      : buildPanelSubtitle(picture, beside, part, room, textSize);
  const title = truncateEnd(sanitizeText(picture.chart.title), room / BOLD_WIDTH_FACTOR, titleSize);
  // Without words as well: charts side by side begin at the same height.
  return {
    title,
    subtitle: showsSubtitle ? subtitle : '',
    height: Math.round(1.3 * titleSize + (showsSubtitle ? 1.35 * textSize : 0)),
  };
}

/** As much as fits; the range always. Long names are cut, unless too little would be left of them. */
function buildSubtitle({ chart, data }: ChartPicture, beside: string, room: number, size: number): string {
  const [what, range] = [describeScope(chart), formatTimeRange(data.frame)];
  for (const rest of [[range, `${formatStep(data.frame.stepMs)} steps`, ...(beside === '' ? [] : [beside])], [range]]) {
    const left = room - textWidth(['', ...rest].join(PART_SEPARATOR), size);
    if (left >= Math.min(textWidth(what, size), MIN_NAME_WIDTH * size))
      return [truncateEnd(what, left, size), ...rest].join(PART_SEPARATOR);
  }
  return truncateEnd(range, room, size);
}

function buildPanelSubtitle(
  { chart }: ChartPicture,
  beside: string,
  { tellsService }: PanelRenderOptions,
  room: number,
  size: number,
): string {
  return truncateEnd(
    [tellsService ? describeScope(chart) : '', beside].filter((each) => each !== '').join(PART_SEPARATOR),
    room,
    size,
  );
}

function describeScope({ serviceName, groupBy }: Chart): string {
  return `${sanitizeText(serviceName) || 'all services'}${groupBy === '' ? '' : ` by ${sanitizeText(groupBy)}`}`;
}

/** Title and subtitle; `caption` names what the value axis counts, in the strip above it. */
export function headingPlugin(
  { title, subtitle, height }: Heading,
  caption: string,
  layout: ChartLayout,
  palette: Palette,
): Plugin {
  const { padding, titleSize, textSize } = layout;
  const room = layout.width - 2 * padding;
  return {
    id: 'heading',
    afterDraw: (chart) =>
      withSavedState(chart, () => {
        drawText(
          chart,
          title,
          padding,
          padding + titleSize * 0.5,
          { size: titleSize, colour: palette.title, bold: true },
          room,
        );
        drawText(
          chart,
          subtitle,
          padding,
          padding + titleSize * 1.3 + textSize * 0.55,
          { size: textSize, colour: palette.text },
          room,
        );
        drawText(
          chart,
          caption,
          padding,
          padding + height + textSize * 0.75,
          { size: textSize, colour: palette.text },
          room,
        );
      }),
  };
}
