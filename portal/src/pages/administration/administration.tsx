import { Page } from '../../ui/page';

export default function AdministrationPage() {
  return <Page title="Administration">{null}</Page>;
}
