import { Page } from '../../ui/page';

export default function DiagnosisPage() {
  return <Page title="Diagnosis">{null}</Page>;
}
