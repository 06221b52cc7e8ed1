import type { Plugin } from 'chart.js';

/**
 * Leaves the canvas as it was put up. chart.js sets its height and its width anew for pixels of its own, and each time the
 * canvas would make all of its pixels anew.
 */
export const givenSize: Plugin = {
  id: 'given-size',
  beforeInit: (chart) => void Object.assign(chart, { currentDevicePixelRatio: 1 }),
};
