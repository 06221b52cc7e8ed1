import { useState, type ReactNode } from 'react';
import { countText } from '../format/quantities';
import controls from './controls.module.css';

/** As many as a page draws without a pause; who looks for one of more finds it sooner by a filter. */
const AT_ONCE = 100;

/** The first of many rows, and what stands below them: how many there are, and the way to more. */
export function useFirst<Row>(rows: readonly Row[]): { readonly first: readonly Row[]; readonly more: ReactNode } {
  const [most, setMost] = useState(AT_ONCE);
  if (rows.length <= most) return { first: rows, more: null };
  const next = Math.min(AT_ONCE, rows.length - most);
  const more = (
    <p className={controls.row}>
      The first {countText(most)} of {countText(rows.length)}.{' '}
      <button type="button" className={controls.button} onClick={() => setMost(most + AT_ONCE)}>
        {next} more
      </button>
    </p>
  );
  return { first: rows.slice(0, most), more };
}
