import type { ChartRenderInput } from '../queries/charts/chart-query-types.js';
import type { ChartLayout } from './chart-layout.js';
import type { PanelRenderOptions } from './render-options.js';
import { BOLD_WIDTH_FACTOR, sanitizeText, textWidth, truncateEnd } from './chart-text.js';
import { formatStep, formatTimeRange } from './time-axis.js';
import type { Plugin } from 'chart.js';
import type { Palette } from './colour-palette.js';
import { drawText, withSavedState } from './canvas-text.js';

/** Texts above the chart, truncated to its width, and their total height in pixels. */
export interface Heading {
  readonly title: string;
  readonly subtitle: string;
  readonly height: number;
}

/** In multiples of the text size. */
const MIN_NAME_WIDTH = 12;
const PART_SEPARATOR = ' · ';

/**
 * `extra` is added to the subtitle, such as the peak value if there is no legend. Panels leave out what the
 * dashboard's header already shows.
 */
export function computeHeading(
  picture: ChartRenderInput,
  layout: ChartLayout,
  extra: string,
  panel?: PanelRenderOptions,
): Heading {
  const { padding, titleSize, textSize, showsSubtitle } = layout;
  const availableWidth = layout.width - 2 * padding;
  const subtitle =
    panel === undefined
      ? buildSubtitle(picture, extra, availableWidth, textSize)
      : buildPanelSubtitle(picture, extra, panel, availableWidth, textSize);
  const title = truncateEnd(sanitizeText(picture.chart.title), availableWidth / BOLD_WIDTH_FACTOR, titleSize);
  // Reserved even if the subtitle is empty, so that charts side by side start at the same height.
  return {
    title,
    subtitle: showsSubtitle ? subtitle : '',
    height: Math.round(1.3 * titleSize + (showsSubtitle ? 1.35 * textSize : 0)),
  };
}

/** Includes as many parts as fit, always the time range. The name is truncated unless too little of it would remain. */
function buildSubtitle(picture: ChartRenderInput, extra: string, availableWidth: number, size: number): string {
  const { data } = picture;
  const [scope, range] = [describeScope(picture), formatTimeRange(data.frame)];
  const steps = data.frame.isWhole === true ? [] : [`${formatStep(data.frame.stepMs)} steps`];
  for (const rest of [[range, ...steps, ...(extra === '' ? [] : [extra])], [range]]) {
    const remainingWidth = availableWidth - textWidth(['', ...rest].join(PART_SEPARATOR), size);
    if (remainingWidth >= Math.min(textWidth(scope, size), MIN_NAME_WIDTH * size))
      return [truncateEnd(scope, remainingWidth, size), ...rest].join(PART_SEPARATOR);
  }
  return truncateEnd(range, availableWidth, size);
}

function buildPanelSubtitle(
  picture: ChartRenderInput,
  extra: string,
  { showsService }: PanelRenderOptions,
  availableWidth: number,
  size: number,
): string {
  return truncateEnd(
    [showsService ? describeScope(picture) : '', extra].filter((each) => each !== '').join(PART_SEPARATOR),
    availableWidth,
    size,
  );
}

function describeScope({ chart: { serviceName, groupBy, query }, filter = '' }: ChartRenderInput): string {
  const [what, groups] = query
    ? [query.signal, query.groupBy.join(', ')]
    : [sanitizeText(serviceName) || 'all services', groupBy];
  const conditions = [query?.where ?? '', filter].filter((each) => each.trim() !== '').map(sanitizeText);
  const narrowed = conditions.length > 1 ? conditions.map((each) => `(${each})`).join(' and ') : conditions.join('');
  return `${what}${groups === '' ? '' : ` by ${sanitizeText(groups)}`}${narrowed === '' ? '' : ` where ${narrowed}`}`;
}

/** Draws title, subtitle and, in the strip above the value axis, its `caption`. */
export function headingPlugin(
  { title, subtitle, height }: Heading,
  caption: string,
  layout: ChartLayout,
  palette: Palette,
): Plugin {
  const { padding, titleSize, textSize } = layout;
  const availableWidth = layout.width - 2 * padding;
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
          availableWidth,
        );
        drawText(
          chart,
          subtitle,
          padding,
          padding + titleSize * 1.3 + textSize * 0.55,
          { size: textSize, colour: palette.text },
          availableWidth,
        );
        drawText(
          chart,
          caption,
          padding,
          padding + height + textSize * 0.75,
          { size: textSize, colour: palette.text },
          availableWidth,
        );
      }),
  };
}
