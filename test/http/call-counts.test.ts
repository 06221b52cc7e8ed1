import { ownCounts } from '../../src/http/call-counts.js';
import { callCountsContract } from '../contracts/call-counts.contract.js';

describe('counts of calls in this process', () => {
  callCountsContract(ownCounts);
});
