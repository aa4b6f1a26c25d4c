/** Nobody listens at these: every request is answered in this process. */
export const addresses = {
  platform: 'http://platform.invalid',
  aws: 'http://127.0.0.1', // by a number, so that the SDK puts the bucket into the path
  api: 'http://api.invalid',
  issuer: 'http://issuer.invalid',
  /** Of event apps: every other host is one. */
  app: 'https://app.example.com',
} as const
