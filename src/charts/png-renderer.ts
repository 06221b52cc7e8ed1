import { type Canvas, createCanvas } from 'canvas';
import type { ChartConfiguration, Plugin } from 'chart.js';
import { type ChartCallback, ChartJSNodeCanvas } from 'chartjs-node-canvas';
import type { ChartPicture } from '../queries/charts/chart-query-types.js';
import { drawDashboard, type UnpackedDashboardPicture } from './dashboard-drawing.js';
import { buildChartConfiguration } from './chart-configuration.js';
import { registerFonts } from './chart-fonts.js';
import type { ChartRenderOptions, DashboardRenderOptions } from './render-options.js';
import { encodePng } from './png-encoder.js';

/** Draws PNGs. */
export interface PngRenderer {
  /** Of exactly the size of the look. */
  renderChart(picture: ChartPicture, look: ChartRenderOptions): PngBytes;
  /** Of exactly the width of the look, as high as its rows. */
  renderDashboard(picture: UnpackedDashboardPicture, look: DashboardRenderOptions): PngBytes;
}

/** The bytes of a PNG, alone in their buffer. */
type PngBytes = Uint8Array<ArrayBuffer>;

/** Throws where the font of the package cannot be used: pictures would have no text. */
export function createPngRenderer(): PngRenderer {
  const fonts = registerFonts();
  const easel = new ChartCanvas(fonts);
  return {
    renderChart: (picture, look) => easel.draw(buildChartConfiguration(picture, look), look, encodeCanvas),
    renderDashboard: (picture, look) =>
      encodeCanvas(
        drawDashboard(picture, look, fonts, (chart, part, place) =>
          easel.draw(buildChartConfiguration(chart, part), part, place),
        ),
      ),
  };
}

/** They work on each picture even where their options say that nothing is to be shown. */
const UNUSED_PLUGINS = ['colors', 'decimation', 'legend', 'subtitle', 'title', 'tooltip'];

/** Every instance of the package loads a copy of Chart.js for one size of canvas: this one puts up a canvas of any size. */
class ChartCanvas extends ChartJSNodeCanvas {
  private look: Pick<ChartRenderOptions, 'width' | 'height'> = { width: 1, height: 1 };
  private take: (canvas: Canvas) => unknown = () => undefined;

  constructor(fonts: string) {
    const chartCallback: ChartCallback = (chartJs) => {
      const { defaults, registry } = chartJs;
      defaults.font.family = fonts;
      defaults.devicePixelRatio = 1;
      chartJs.unregister(...UNUSED_PLUGINS.map((id) => registry.getPlugin(id)!));
      chartJs.register(fixedSizePlugin);
    };
    super({ width: 1, height: 1, chartCallback });
  }

  protected override readonly _createCanvas = (() => this.createCanvasForDrawing()) as unknown as typeof createCanvas;

  /** What `take` makes of the canvas, which is empty afterwards. */
  draw<T>(configuration: ChartConfiguration, look: ChartRenderOptions, take: (canvas: Canvas) => T): T {
    this.look = look;
    this.take = take;
    // The package's other ways throw, or never settle, with this canvas. What it answers is what `toBuffer` does.
    return this.renderToBufferSync(configuration) as T;
  }

  private createCanvasForDrawing(): object {
    const canvas = createCanvas(this.look.width, this.look.height);
    const toBuffer = (): unknown => {
      const taken = this.take(canvas);
      releaseCanvas(canvas);
      return taken;
    };
    return Object.assign(canvas, { toBuffer });
  }
}

/** Encoded by us: the canvas's own encoder takes longer than all the drawing. */
function encodeCanvas(canvas: Canvas): PngBytes {
  const { width, height } = canvas;
  const pixels = canvas.data();
  releaseCanvas(canvas);
  return encodePng(pixels, width, height);
}

/** Gives its memory back now and not when garbage is collected. */
function releaseCanvas(canvas: Canvas): void {
  canvas.width = 1;
}

/**
 * Leaves the canvas as it was put up. chart.js sets its height and its width anew for pixels of its own, and each time the
 * canvas would make all of its pixels anew.
 */
export const fixedSizePlugin: Plugin = {
  id: 'given-size',
  beforeInit: (chart) => void Object.assign(chart, { currentDevicePixelRatio: 1 }),
};
