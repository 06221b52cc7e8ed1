import { Download, Image } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { fetchBlob } from '../api/api-client';
import { useGrid } from '../session/use-session';
import { resolveChartRange, toIsoTime } from '../time/time-view';
import { useTimeView } from '../time/use-time-view';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { ErrorState } from '../ui/page-states';
import { Skeleton } from '../ui/skeleton';
import controls from '../ui/controls.module.css';
import styles from './charts.module.css';

interface ImageExportButtonProps {
  readonly kind: 'charts' | 'dashboards';
  readonly id: string;
  readonly title: string;
  /** Condition that narrows the charts; "": none. */
  readonly filter?: string;
  /** With a text label. */
  readonly isWide?: boolean;
}

/** Opens the chart or dashboard as an image rendered by the service, to save or share. */
export function ImageExportButton({ isWide = false, ...target }: ImageExportButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={isWide ? controls.button : controls.icon}
        aria-label={`${target.title} as PNG`}
        title="Export as PNG"
        onClick={() => setOpen(true)}
      >
        <Image size={15} aria-hidden /> {isWide && 'PNG'}
      </button>
      {isOpen && <ImageExportDialog {...target} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ImageExportDialogProps {
  readonly kind: 'charts' | 'dashboards';
  readonly id: string;
  readonly title: string;
  readonly filter?: string;
  readonly onClose: () => void;
}

function ImageExportDialog({ kind, id, title, filter = '', onClose }: ImageExportDialogProps) {
  const { gridSecondaryId } = useGrid();
  const { view, isLive } = useTimeView();
  const theme = document.documentElement.dataset['theme'] === 'light' ? ('light' as const) : ('dark' as const);
  // Fixed when the dialog opens: the image does not update.
  const [range] = useState(() => {
    const { from, to } = resolveChartRange(view, Date.now());
    return { rangeStart: toIsoTime(from), rangeEnd: toIsoTime(to) };
  });
  const path = useMemo(
    () => buildImageUrl({ gridSecondaryId, kind, id, theme, filter, range }),
    [gridSecondaryId, kind, id, theme, filter, range],
  );
  const { picture, error } = useRenderedImage(path);
  const shareUrl = location.origin + (isLive ? buildImageUrl({ gridSecondaryId, kind, id, theme, filter }) : path);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        {error !== undefined && <ErrorState error={error} />}
        {picture === undefined ? (
          error === undefined && <Skeleton height="14rem" />
        ) : (
          <img className={styles.picture} src={picture} alt={`Image of ${title}`} />
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
          <CopyButton text={shareUrl} label="Copy image URL" />
        </div>
        <p className={styles.quiet}>
          Other tools need an API key of the Grid to request this URL.{' '}
          {isLive ? 'It always shows the last hour.' : 'It shows this time range.'}
        </p>
      </div>
    </Dialog>
  );
}

/** Fetches the image as an object URL, which is revoked on unmount. */
function useRenderedImage(path: string): { readonly picture?: string; readonly error?: Error } {
  const [state, setState] = useState<{ picture?: string; error?: Error }>({});
  useEffect(() => {
    const abort = new AbortController();
    let objectUrl: string | undefined;
    fetchBlob(path, { signal: abort.signal }).then(
      (bytes) => {
        if (abort.signal.aborted) return;
        objectUrl = URL.createObjectURL(bytes);
        setState({ picture: objectUrl });
      },
      (error: unknown) => {
        if (!abort.signal.aborted)
          setState({ error: error instanceof Error ? error : new Error('The image could not be loaded.') });
      },
    );
    return () => {
      abort.abort();
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl);
    };
  }, [path]);
  return state;
}

interface ImageUrlOptions {
  readonly gridSecondaryId: string;
  readonly kind: 'charts' | 'dashboards';
  readonly id: string;
  readonly theme: 'dark' | 'light';
  readonly filter: string;
  readonly range?: { readonly rangeStart: string; readonly rangeEnd: string };
}

/** Path of the rendered image. Without a range, the service renders the last hour at the time of each request. */
function buildImageUrl({ gridSecondaryId, kind, id, theme, filter, range }: ImageUrlOptions): string {
  const query = new URLSearchParams({ 'api-version': '2.0', ...range, theme, ...(filter !== '' && { filter }) });
  return `/apm/${kind}/${encodeURIComponent(gridSecondaryId)}/${kind}/${encodeURIComponent(id)}/render?${query.toString()}`;
}
