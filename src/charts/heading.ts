import type { ChartPicture } from '../queries/charts/questions.js';
import type { Layout } from './layout.js';
import { cleaned, cutEnd, textWidth } from './text.js';
import { rangeText, stepText } from './time-axis.js';

/** Texts above the chart, cut to its width, and the pixels that they take. */
export interface Heading {
  readonly title: string;
  readonly subtitle: string;
  readonly height: number;
}

const BOLDER = 1.03;
const BETWEEN = ' · ';

/** `peak` is told where no legend does. */
export function headingOf({ chart, data }: ChartPicture, layout: Layout, peak: string): Heading {
  const room = layout.width - 2 * layout.padding;
  const what = `${cleaned(chart.serviceName) || 'all services'}${chart.groupBy === '' ? '' : ` by ${cleaned(chart.groupBy)}`}`;
  const range = rangeText(data.frame);
  const parts = [what, range, `${stepText(data.frame.stepMs)} steps`, ...(peak === '' ? [] : [peak])];
  const subtitle = layout.showsSubtitle ? subtitleOf([parts, parts.slice(0, 2), [range]], what, room, layout.textSize) : '';
  const title = cutEnd(cleaned(chart.title), room / BOLDER, layout.titleSize);
  return { title, subtitle, height: Math.round(1.3 * layout.titleSize + (subtitle === '' ? 0 : 1.35 * layout.textSize)) };
}

/** The fullest that fits. Long names of services are cut before the steps are left out, unless little would be left of them. */
function subtitleOf(versions: readonly (readonly string[])[], what: string, room: number, size: number): string {
  for (const parts of versions) {
    const [first, ...rest] = parts;
    const left = room - textWidth([''].concat(rest).join(BETWEEN), size);
    if (first !== what) break;
    if (textWidth(first, size) <= left || left >= 12 * size) return [cutEnd(first, left, size), ...rest].join(BETWEEN);
  }
  return cutEnd(versions.at(-1)!.join(BETWEEN), room, size);
}
