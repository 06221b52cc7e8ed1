import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import controls from '../../ui/controls.module.css';
import type { Causes } from './use-causes';
import styles from './map.module.css';

/** Says that a path is lit, and why; nothing where no cause is looked at. */
export function PathNote({ causes: { chosen, path, leave } }: { readonly causes: Causes }) {
  const links = useLinks();
  if (chosen === '') return null;
  return (
    <div className={styles.path} role="status">
      <p>{wordsOf(chosen, path)}</p>
      <Link to={links.page('diagnosis')}>Diagnosis</Link>
      <button type="button" className={controls.button} onClick={leave}>
        Show all alike
      </button>
    </div>
  );
}

function wordsOf(cause: string, path: ReadonlySet<string> | undefined): string {
  if (path === undefined) return `${cause} is blamed for nothing at this time.`;
  return path.size === 1
    ? `Lit: ${cause}, which harms no other service by now.`
    : `Lit: whom ${cause} harms, and how they call it.`;
}
