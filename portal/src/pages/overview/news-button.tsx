import { ArrowUp } from 'lucide-react';
import controls from '../../ui/controls.module.css';
import styles from './overview.module.css';

/** Tells at once what has come up, over the page instead of in it: it moves nothing that somebody is about to press. */
export function NewsButton({ news, onShow }: { readonly news: string; readonly onShow: () => void }) {
  return (
    <div className={styles.news} role="status">
      {news !== '' && (
        <button type="button" className={controls.primary} onClick={onShow}>
          <ArrowUp size={15} aria-hidden /> {news}: show
        </button>
      )}
    </div>
  );
}
