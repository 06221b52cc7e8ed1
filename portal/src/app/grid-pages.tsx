import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useMatch } from 'react-router';
import { forgetSession } from '../session/token';
import { useGrid, useMay } from '../session/use-session';
import { Page } from '../ui/page';
import controls from '../ui/controls.module.css';
import { useLinks } from './use-links';

/** The page that was asked for, anew for each Grid: nothing that one shows or keeps may stand under the name of another. Of a Grid that is switched off, its settings alone, where an Owner switches it on again. */
export function GridPages() {
  const { gridSecondaryId, subscriptionActive } = useGrid();
  const isAdministration = useMatch('/g/:gridId/administration') !== null;
  const isOwner = useMay('Owner');
  return subscriptionActive || (isAdministration && isOwner) ? (
    <Outlet key={gridSecondaryId} />
  ) : (
    <SwitchedOff isOwner={isOwner} />
  );
}

function SwitchedOff({ isOwner }: { readonly isOwner: boolean }) {
  const links = useLinks();
  const queries = useQueryClient();
  const look = (): void => {
    forgetSession();
    void queries.invalidateQueries({ queryKey: ['session'] });
  };
  return (
    <Page
      title="This Grid is switched off"
      lead={`Nothing of it can be read now. Its data are kept; what applications send meanwhile is refused and lost.${isOwner ? '' : ' An Owner can switch it on again.'}`}
    >
      <div className={controls.row}>
        {isOwner && (
          <Link className={controls.primary} to={links.page('administration', { tab: 'settings' })}>
            Open its settings
          </Link>
        )}
        <button type="button" className={controls.button} onClick={look}>
          Look again
        </button>
      </div>
    </Page>
  );
}
