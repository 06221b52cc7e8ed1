import { Link } from 'react-router';
import { useLinks } from '../app/use-links';
import { ServiceLink } from './service-link';
import { useKnownServices } from './use-known-services';
import styles from './diagnostics.module.css';

/** What is to blame: a service leads to its page, anything else to its place on the map. */
export function CulpritLink({ name }: { readonly name: string }) {
  const isKnown = useKnownServices();
  const links = useLinks();
  if (isKnown(name)) return <ServiceLink name={name} />;
  return (
    <Link className={styles.name} to={links.page('map', { filter: name })} title={name}>
      {name}
    </Link>
  );
}
