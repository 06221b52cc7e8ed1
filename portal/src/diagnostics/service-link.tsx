import { Link } from 'react-router';
import { useLinks } from '../app/use-links';
import styles from './diagnostics.module.css';

/** What past bounds is counted together has no page of its own. */
const OTHER = '__other__';

/** A name that leads nowhere, as short as a link would be. */
export function PlainName({ name }: { readonly name: string }) {
  return (
    <span className={styles.name} title={name}>
      {name}
    </span>
  );
}

/** A service by its name, which leads to its page. */
export function ServiceLink({ name }: { readonly name: string }) {
  const links = useLinks();
  if (name === '' || name === OTHER)
    return <span className={styles.name}>{name === '' ? 'The whole Grid' : 'Others'}</span>;
  return (
    <Link className={styles.name} to={links.service(name)} title={name}>
      {name}
    </Link>
  );
}
