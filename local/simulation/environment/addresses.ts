/** Addresses without a server: every request is answered in this process. */
export const addresses = {
  platform: 'http://platform.invalid',
  insights: 'http://platform.invalid/insights',
  aws: 'http://127.0.0.1', // an IP address makes the SDK put the bucket into the path
  api: 'http://api.invalid',
  /** Address of the API for callbacks of the platform: the sandbox calls only this machine. */
  callbacks: 'http://127.0.0.1:3000',
  issuer: 'http://issuer.invalid',
  /** The event app. Every unlisted host is one. */
  app: 'https://app.example.com',
} as const
