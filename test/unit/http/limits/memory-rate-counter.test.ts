import { createLocalRateCounter } from '../../../../src/http/limits/rate-limiter.js';
import { callCountsContract } from '../../../contracts/call-counts.contract.js';

describe('counts of calls in this process', () => {
  callCountsContract(createLocalRateCounter);
});
