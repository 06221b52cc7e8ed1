import { useSearchParams } from 'react-router';

type Shown = 'map' | 'list';

/** What is filtered, whether a picture or a list is shown, and whether the picture has all there is, from the address; phones get the list unless somebody chose. */
export function useChoices() {
  const [parameters, setParameters] = useSearchParams();
  const set = (name: string, value: string): void =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const said = parameters.get('show');
  const usual: Shown = window.matchMedia('(max-width: 40rem)').matches ? 'list' : 'map';
  const shows: Shown = said === 'list' || said === 'map' ? said : usual;
  return {
    filter: parameters.get('filter') ?? '',
    setFilter: (text: string) => set('filter', text),
    shows,
    show: (next: Shown) => set('show', next),
    isWhole: parameters.get('all') === '1',
    showWhole: () => set('all', '1'),
  };
}
