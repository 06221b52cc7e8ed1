import { Page } from '../../ui/page';

export default function NewGridPage() {
  return <Page title="New Grid">{null}</Page>;
}
