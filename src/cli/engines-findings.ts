import { EMBEDDED, type Settings } from '../config.js';
import type { Finding } from './doctor.js';
import { sharesFindings } from './shares-findings.js';

/** The engines that are not in the data folder, and how what they hold is kept. Loads what it looks at, and nothing where there is nothing. */
export async function enginesFindings(settings: Settings): Promise<readonly Finding[]> {
  const { examineEngines } = await import('../engines/examination.js');
  const engines = await examineEngines(settings);
  const findings = engines.map(({ check, ok, detail, remedy }): Finding => ({ check, ok, detail, ...(remedy === undefined ? {} : { remedy }) }));
  const cannotBeRead = engines.some(({ check, isAway }) => isAway === true && check !== 'NATS');
  return settings.readStoreUrl === EMBEDDED || cannotBeRead ? findings : [...findings, ...(await shares(settings))];
}

async function shares(settings: Settings): Promise<readonly Finding[]> {
  try {
    const { lookAtShares } = await import('../offline/shares.js');
    const look = await lookAtShares(settings);
    return look === undefined ? [] : sharesFindings(look);
  } catch (error) {
    return [{ check: 'shares', ok: false, detail: (error as Error).message, remedy: 'mend what the lines above name, then look again' }];
  }
}
