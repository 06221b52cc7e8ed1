import { createLocalRateCounter } from '../../../../src/http/limits/rate-counter.js';
import { callCountsContract } from '../../../contracts/call-counts.contract.js';

describe('counts of calls in this process', () => {
  callCountsContract(createLocalRateCounter);
});
