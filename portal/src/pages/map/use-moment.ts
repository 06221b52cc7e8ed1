import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { timeKeyOf, useView } from '../../time/use-view';
import { isoOf } from '../../time/view';

/** The address follows the hand after so long a rest (ms): what a slider passes by is not asked for, and no key is lost while the address is on its way. */
const REST_MS = 150;

interface Moment {
  /** The moment of the address, which the map shows; undefined is the end of the view. */
  readonly moment: number | undefined;
  /** Where the slider stands, which may be ahead of it. */
  readonly held: number | undefined;
  readonly hold: (moment: number | undefined) => void;
}

/** The moment that the slider stands at, kept in the address. */
export function useMoment(): Moment {
  const [parameters, setParameters] = useSearchParams();
  const { key } = useView();
  const said = Date.parse(parameters.get('moment') ?? '');
  const moment = Number.isNaN(said) ? undefined : said;
  const [ahead, setAhead] = useState<{ readonly to: number | undefined }>();
  const write = useCallback(
    (to: number | undefined) => {
      // Of the address itself: what was rendered last may be a change behind it.
      const next = new URLSearchParams(window.location.search);
      if (timeKeyOf(next) !== key) return;
      if (to === undefined) next.delete('moment');
      else next.set('moment', isoOf(to));
      setParameters(next, { replace: true });
    },
    [setParameters, key],
  );
  // Another view has other hours: what was meant for the one before goes with it, also while it is on its way.
  useEffect(() => setAhead(undefined), [key]);
  useEffect(() => {
    if (ahead === undefined) return undefined;
    if (ahead.to === moment) return setAhead(undefined);
    const timer = setTimeout(() => write(ahead.to), REST_MS);
    return () => clearTimeout(timer);
  }, [ahead, moment, write]);
  return { moment, held: ahead === undefined ? moment : ahead.to, hold: (to) => setAhead({ to }) };
}
