import { Fragment, jsxDEV as createElement } from 'react/jsx-dev-runtime';
import { escapeDisplayedText } from '../format/control-characters';

/** As jsx-runtime.ts, for `npm run dev`. */
export type { JSX } from 'react/jsx-dev-runtime';
export { Fragment };

export const jsxDEV: typeof createElement = (type, props, ...rest) =>
  createElement(type, escapeDisplayedText(type, props), ...rest);
