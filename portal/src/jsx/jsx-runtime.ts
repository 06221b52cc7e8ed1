import { Fragment, jsx as createElement, jsxs as createElementWithList } from 'react/jsx-runtime';
import { escapeDisplayedText } from '../format/control-characters';

/**
 * The JSX runtime of the portal (`jsxImportSource` in tsconfig.json and vite.config.ts): that of React, with control
 * characters escaped in all text that is shown. One place for every page.
 */
export type { JSX } from 'react/jsx-runtime';
export { Fragment };

export const jsx: typeof createElement = (type, props, key) =>
  createElement(type, escapeDisplayedText(type, props), key);

export const jsxs: typeof createElementWithList = (type, props, key) =>
  createElementWithList(type, escapeDisplayedText(type, props), key);
