import { Download, Image } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import controls from '../ui/controls.module.css';
import { fetchBlob } from '../api/api-client';
import { useGrid } from '../session/use-session';
import { useTimeView } from '../time/use-time-view';
import { resolveChartRange, toIsoTime } from '../time/time-view';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { ErrorState } from '../ui/page-states';
import { Skeleton } from '../ui/skeleton';
import styles from './charts.module.css';

interface ImageExportButtonProps {
  readonly kind: 'charts' | 'dashboards';
  readonly id: string;
  readonly title: string;
  /** With words on it, where there is room. */
  readonly isWide?: boolean;
}

/** The picture that the service draws, to keep or to give to others. */
export function ImageExportButton({ isWide = false, ...pictured }: ImageExportButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={isWide ? controls.button : controls.icon}
        aria-label={`${pictured.title} as PNG`}
        title="As PNG"
        onClick={() => setOpen(true)}
      >
        <Image size={15} aria-hidden /> {isWide && 'PNG'}
      </button>
      {isOpen && <ImageExportDialog {...pictured} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ImageExportDialogProps {
  readonly kind: 'charts' | 'dashboards';
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

function ImageExportDialog({ kind, id, title, onClose }: ImageExportDialogProps) {
  const { gridSecondaryId } = useGrid();
  const { view, isLive } = useTimeView();
  const theme = document.documentElement.dataset['theme'] === 'light' ? ('light' as const) : ('dark' as const);
  // The moment of opening: a picture does not move.
  const [asked] = useState(() => {
    const { from, to } = resolveChartRange(view, Date.now());
    return { rangeStart: toIsoTime(from), rangeEnd: toIsoTime(to) };
  });
  const path = useMemo(
    () => buildImageUrl({ gridSecondaryId, kind, id, theme, range: asked }),
    [gridSecondaryId, kind, id, theme, asked],
  );
  const { picture, error } = useRenderedImage(path);
  const lasting = location.origin + (isLive ? buildImageUrl({ gridSecondaryId, kind, id, theme }) : path);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        {error !== undefined && <ErrorState error={error} />}
        {picture === undefined ? (
          error === undefined && <Skeleton height="14rem" />
        ) : (
          <img className={styles.picture} src={picture} alt={`${title}, drawn`} />
        )}
        <div className={controls.row}>
          {picture !== undefined && (
            <a
              className={controls.button}
              href={picture}
              download={`${kind === 'charts' ? 'chart' : 'dashboard'}-${id}.png`}
            >
              <Download size={15} aria-hidden /> Save
            </a>
          )}
          <CopyButton text={lasting} label="Copy address for tools" />
        </div>
        <p className={styles.quiet}>
          A tool asks the address with an API key of the Grid.{' '}
          {isLive ? 'It shows the last hour, whenever it is asked.' : 'It shows this stretch of time.'}
        </p>
      </div>
    </Dialog>
  );
}

/** The bytes as an address of the page's own, which ends with the dialog. */
function useRenderedImage(path: string): { readonly picture?: string; readonly error?: Error } {
  const [state, setState] = useState<{ picture?: string; error?: Error }>({});
  useEffect(() => {
    const abort = new AbortController();
    let address: string | undefined;
    fetchBlob(path, { signal: abort.signal }).then(
      (bytes) => {
        if (abort.signal.aborted) return;
        address = URL.createObjectURL(bytes);
        setState({ picture: address });
      },
      (error: unknown) => {
        if (!abort.signal.aborted)
          setState({ error: error instanceof Error ? error : new Error('The picture could not be had.') });
      },
    );
    return () => {
      abort.abort();
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [path]);
  return state;
}

interface ImageUrlOptions {
  readonly gridSecondaryId: string;
  readonly kind: 'charts' | 'dashboards';
  readonly id: string;
  readonly theme: 'dark' | 'light';
  readonly range?: { readonly rangeStart: string; readonly rangeEnd: string };
}

/** Where the service draws it. Without a range: the hour up to whenever it is asked. */
function buildImageUrl({ gridSecondaryId, kind, id, theme, range }: ImageUrlOptions): string {
  const query = new URLSearchParams({ 'api-version': '2.0', ...range, theme });
  return `/apm/${kind}/${encodeURIComponent(gridSecondaryId)}/${kind}/${encodeURIComponent(id)}/render?${query.toString()}`;
}
