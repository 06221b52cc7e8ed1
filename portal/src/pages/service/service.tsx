import { Page } from '../../ui/page';

export default function ServicePage() {
  return <Page title="Service">{null}</Page>;
}
