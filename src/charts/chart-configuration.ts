import type { ChartConfiguration } from 'chart.js';
import type { ChartPicture } from '../queries/charts/questions.js';
import type { Look } from './look.js';
import { penOf } from './pen.js';

const COLOURS = { dark: { background: '#161a22', text: '#c9d1dc' }, light: { background: '#ffffff', text: '#3a4350' } } as const;

/** What chart.js is to draw, background included. The renderer sets `defaults.font.family`; a pixel of the look is a pixel of the canvas. */
export function chartConfiguration(picture: ChartPicture, look: Look): ChartConfiguration {
  const { background, text } = COLOURS[look.theme];
  const { frame, series } = picture.data;
  return {
    type: picture.chart.chartType === 'bar' ? 'bar' : 'line',
    data: { datasets: series.map(({ label, points }) => ({ label, data: points.map(({ atMs, value }) => ({ x: atMs, y: value })) })) },
    options: {
      responsive: false,
      animation: false,
      devicePixelRatio: 1,
      color: text,
      parsing: false,
      normalized: true,
      scales: { x: { type: 'linear', min: frame.fromMs, max: frame.toMs }, y: { beginAtZero: true } },
      plugins: { title: { display: true, text: picture.chart.title, color: text } },
    },
    plugins: [{
      id: 'background',
      beforeDraw: (chart) => {
        const pen = penOf(chart);
        pen.fillStyle = background;
        pen.fillRect(0, 0, chart.width, chart.height);
      },
    }],
  };
}
