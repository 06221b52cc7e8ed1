import { Page } from '../../ui/page';

export default function ChangesPage() {
  return <Page title="Changes">{null}</Page>;
}
