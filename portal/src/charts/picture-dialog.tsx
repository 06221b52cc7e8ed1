import { Download } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { bytesOf } from '../api/client';
import { useGrid } from '../session/use-session';
import { useView } from '../time/use-view';
import { chartStretchOf, isoOf } from '../time/view';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { ErrorState } from '../ui/error-state';
import { Skeleton } from '../ui/skeleton';
import controls from '../ui/controls.module.css';
import { pictureAddress } from './picture-address';
import styles from './charts.module.css';

interface PictureDialogProps {
  readonly kind: 'charts' | 'dashboards';
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

export function PictureDialog({ kind, id, title, onClose }: PictureDialogProps) {
  const { gridSecondaryId } = useGrid();
  const { view, isLive } = useView();
  const theme = document.documentElement.dataset['theme'] === 'light' ? ('light' as const) : ('dark' as const);
  // The moment of opening: a picture does not move.
  const [asked] = useState(() => {
    const { from, to } = chartStretchOf(view, Date.now());
    return { rangeStart: isoOf(from), rangeEnd: isoOf(to) };
  });
  const path = useMemo(
    () => pictureAddress({ gridSecondaryId, kind, id, theme, range: asked }),
    [gridSecondaryId, kind, id, theme, asked],
  );
  const { picture, error } = usePicture(path);
  const lasting = location.origin + (isLive ? pictureAddress({ gridSecondaryId, kind, id, theme }) : path);
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
function usePicture(path: string): { readonly picture?: string; readonly error?: Error } {
  const [state, setState] = useState<{ picture?: string; error?: Error }>({});
  useEffect(() => {
    const abort = new AbortController();
    let address: string | undefined;
    bytesOf(path, { signal: abort.signal }).then(
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
