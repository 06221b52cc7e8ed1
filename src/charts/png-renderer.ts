import { type Canvas, createCanvas } from 'canvas';
import type { ChartConfiguration, Plugin } from 'chart.js';
import { type ChartCallback, ChartJSNodeCanvas } from 'chartjs-node-canvas';
import type { ChartRenderInput } from '../queries/charts/chart-query-types.js';
import { drawDashboard, type UnpackedDashboardPicture } from './dashboard-drawing.js';
import { buildChartConfiguration } from './chart-configuration.js';
import { registerFonts } from './chart-fonts.js';
import type { ChartRenderOptions, DashboardRenderOptions } from './render-options.js';
import { encodePng } from './png-encoder.js';

/** Draws charts and dashboards as PNG. */
export interface PngRenderer {
  /** Exactly of the requested size. */
  renderChart(picture: ChartRenderInput, options: ChartRenderOptions): PngBytes;
  /** Exactly of the requested width; the height follows from the rows. */
  renderDashboard(picture: UnpackedDashboardPicture, options: DashboardRenderOptions): PngBytes;
}

/** PNG bytes that own their whole buffer. */
type PngBytes = Uint8Array<ArrayBuffer>;

/** Throws if the packaged font cannot be loaded, because pictures would have no text. */
export function createPngRenderer(): PngRenderer {
  const fonts = registerFonts();
  const canvas = new ChartCanvas(fonts);
  return {
    renderChart: (picture, options) => canvas.draw(buildChartConfiguration(picture, options), options, encodeCanvas),
    renderDashboard: (picture, options) =>
      encodeCanvas(
        drawDashboard(picture, options, fonts, (chart, part, place) =>
          canvas.draw(buildChartConfiguration(chart, part), part, place),
        ),
      ),
  };
}

/** chart.js plugins that cost time for each picture even if disabled. */
const UNUSED_PLUGINS = ['colors', 'decimation', 'legend', 'subtitle', 'title', 'tooltip'];

/**
 * Each instance of the package loads a copy of chart.js for one canvas size; this subclass creates canvases of any
 * size.
 */
class ChartCanvas extends ChartJSNodeCanvas {
  private options: Pick<ChartRenderOptions, 'width' | 'height'> = { width: 1, height: 1 };
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

  /** Draws the chart and returns what `take` computes from the canvas, which is released afterwards. */
  draw<T>(configuration: ChartConfiguration, options: ChartRenderOptions, read: (canvas: Canvas) => T): T {
    this.options = options;
    this.take = read;
    // The package's other methods throw, or never settle, with this canvas. This one returns what `toBuffer` returns.
    return this.renderToBufferSync(configuration) as T;
  }

  private createCanvasForDrawing(): object {
    const canvas = createCanvas(this.options.width, this.options.height);
    const toBuffer = (): unknown => {
      const taken = this.take(canvas);
      releaseCanvas(canvas);
      return taken;
    };
    return Object.assign(canvas, { toBuffer });
  }
}

/** Uses our own encoder: that of the canvas takes longer than drawing. */
function encodeCanvas(canvas: Canvas): PngBytes {
  const { width, height } = canvas;
  const pixels = canvas.data();
  releaseCanvas(canvas);
  return encodePng(pixels, width, height);
}

/** Frees the canvas memory now instead of at garbage collection. */
function releaseCanvas(canvas: Canvas): void {
  canvas.width = 1;
}

/** Prevents chart.js from resizing the canvas for its own pixel ratio: each resize would reallocate all pixels. */
export const fixedSizePlugin: Plugin = {
  id: 'given-size',
  beforeInit: (chart) => void Object.assign(chart, { currentDevicePixelRatio: 1 }),
};
