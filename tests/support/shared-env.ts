/**
 * Settings shared by servers and test processes, so that each can open values sealed by the other.
 */
export const sharedEnv = {
  SERVER_SECRET: 'a secret of the tests, worth nothing elsewhere',
  BCRYPT_COST: '4',
  // All test files send their failing requests from one address.
  FAILED_REQUESTS_PER_CLIENT: '0',
  FAILED_REQUESTS_PER_ADDRESS: '0',
} as const;
