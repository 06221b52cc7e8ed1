import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { isoOf } from '../../time/view';

/** The moment that the slider stands at, from the address; undefined is the end of the view. */
export function useMoment(): { readonly moment: number | undefined; readonly setMoment: (moment: number | undefined) => void } {
  const [parameters, setParameters] = useSearchParams();
  const said = Date.parse(parameters.get('moment') ?? '');
  const setMoment = useCallback((moment: number | undefined) => setParameters((current) => {
    const next = new URLSearchParams(current);
    if (moment === undefined) next.delete('moment');
    else next.set('moment', isoOf(moment));
    return next;
  }, { replace: true }), [setParameters]);
  return { moment: Number.isNaN(said) ? undefined : said, setMoment };
}
