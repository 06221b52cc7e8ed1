import type { ChartPicture } from '../queries/charts/questions.js';
import type { Layout } from './layout.js';
import type { PartLook } from './look.js';
import { cleaned, cutEnd, textWidth } from './text.js';
import { rangeText, stepText } from './time-axis.js';

/** Texts above the chart, cut to its width, and the pixels that they take. */
export interface Heading {
  readonly title: string;
  readonly subtitle: string;
  readonly height: number;
}

const BOLDER = 1.03;
/** In multiples of the size of the text. */
const LEAST_NAME = 12;
const BETWEEN = ' · ';

/** `peak` is told where no legend does. A part of a board leaves out what the board tells. */
export function headingOf({ chart, data }: ChartPicture, layout: Layout, peak: string, part?: PartLook): Heading {
  const room = layout.width - 2 * layout.padding;
  const what = `${cleaned(chart.serviceName) || 'all services'}${chart.groupBy === '' ? '' : ` by ${cleaned(chart.groupBy)}`}`;
  const peaks = peak === '' ? [] : [peak];
  const others = [`${stepText(data.frame.stepMs)} steps`, ...peaks];
  const full = (): string => (part === undefined ? subtitleOf(what, rangeText(data.frame), others, room, layout.textSize) : cutEnd([...(part.tellsService ? [what] : []), ...peaks].join(BETWEEN), room, layout.textSize));
  const subtitle = layout.showsSubtitle ? full() : '';
  const title = cutEnd(cleaned(chart.title), room / BOLDER, layout.titleSize);
  return { title, subtitle, height: Math.round(1.3 * layout.titleSize + (subtitle === '' ? 0 : 1.35 * layout.textSize)) };
}

/** As much as fits; the range always. Long names are cut, unless too little would be left of them. */
function subtitleOf(what: string, range: string, others: readonly string[], room: number, size: number): string {
  for (const rest of [[range, ...others], [range]]) {
    const left = room - textWidth(['', ...rest].join(BETWEEN), size);
    if (left >= Math.min(textWidth(what, size), LEAST_NAME * size)) return [cutEnd(what, left, size), ...rest].join(BETWEEN);
  }
  return cutEnd(range, room, size);
}
