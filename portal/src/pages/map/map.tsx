import { Page } from '../../ui/page';

export default function ServiceMapPage() {
  return <Page title="Service map">{null}</Page>;
}
