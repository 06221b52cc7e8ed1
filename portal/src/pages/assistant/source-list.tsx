import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { countText, percentText } from '../../format/quantities';
import { placeOf } from './sources';
import styles from './assistant.module.css';

type Source = Schemas['Source'];

/** What an answer rests on, each leading to where one sees it. */
export function SourceList({ sources }: { readonly sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  return (
    <section className={styles.sources} aria-label="Sources">
      <h3>Sources</h3>
      <ul>
        {sources.map((source, at) => (
          <li key={at}>
            <SourceLink source={source} />
            <Weight source={source} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SourceLink({ source }: { readonly source: Source }) {
  const links = useLinks();
  const place = placeOf(source);
  const words = `${source.type.replaceAll('-', ' ')}: ${source.description}`;
  if (place === undefined) return <>{words}</>;
  const to =
    place.kind === 'page'
      ? links.page(place.page, place.asked)
      : place.kind === 'service'
        ? links.service(place.id)
        : links.trace(place.id);
  return <Link to={to}>{words}</Link>;
}

function Weight({ source: { confidence, traceCount } }: { readonly source: Source }) {
  const parts = [
    confidence !== undefined && `${percentText(Math.round(confidence * 100))} sure`,
    traceCount !== undefined && `${countText(traceCount)} traces`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : <span className={styles.quiet}> ({parts.join(', ')})</span>;
}
