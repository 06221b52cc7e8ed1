import type { Chart } from '../diagnostics/chart.js';
import type { ChartPicture } from '../queries/charts/questions.js';
import type { Layout } from './layout.js';
import type { PartLook } from './look.js';
import { BOLDER, cleaned, cutEnd, textWidth } from './text.js';
import { rangeText, stepText } from './time-axis.js';

/** Texts above the chart, cut to its width, and the pixels that they take. */
export interface Heading {
  readonly title: string;
  readonly subtitle: string;
  readonly height: number;
}

/** In multiples of the size of the text. */
const LEAST_NAME = 12;
const BETWEEN = ' · ';

/** `beside`: what else is to be told, such as the peak where no legend tells it. A part of a board leaves out what the board says. */
export function headingOf(picture: ChartPicture, layout: Layout, beside: string, part?: PartLook): Heading {
  const { padding, titleSize, textSize, showsSubtitle } = layout;
  const room = layout.width - 2 * padding;
  const subtitle = part === undefined ? subtitleOf(picture, beside, room, textSize) : partSubtitle(picture, beside, part, room, textSize);
  const title = cutEnd(cleaned(picture.chart.title), room / BOLDER, titleSize);
  // Without words as well: charts side by side begin at the same height.
  return { title, subtitle: showsSubtitle ? subtitle : '', height: Math.round(1.3 * titleSize + (showsSubtitle ? 1.35 * textSize : 0)) };
}

/** As much as fits; the range always. Long names are cut, unless too little would be left of them. */
function subtitleOf({ chart, data }: ChartPicture, beside: string, room: number, size: number): string {
  const [what, range] = [aboutOf(chart), rangeText(data.frame)];
  for (const rest of [[range, `${stepText(data.frame.stepMs)} steps`, ...(beside === '' ? [] : [beside])], [range]]) {
    const left = room - textWidth(['', ...rest].join(BETWEEN), size);
    if (left >= Math.min(textWidth(what, size), LEAST_NAME * size)) return [cutEnd(what, left, size), ...rest].join(BETWEEN);
  }
  return cutEnd(range, room, size);
}

function partSubtitle({ chart }: ChartPicture, beside: string, { tellsService }: PartLook, room: number, size: number): string {
  return cutEnd([tellsService ? aboutOf(chart) : '', beside].filter((each) => each !== '').join(BETWEEN), room, size);
}

function aboutOf({ serviceName, groupBy }: Chart): string {
  return `${cleaned(serviceName) || 'all services'}${groupBy === '' ? '' : ` by ${cleaned(groupBy)}`}`;
}
