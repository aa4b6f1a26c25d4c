import type { CloudServer } from '../../local/cloud/start.ts'

/** Endpoint and credentials of the local AWS, for an SDK client of an operator. */
export interface AwsAccess {
  readonly endpoint: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

export const awsAccessOf = ({ cloud, awsUrl, environment }: CloudServer): AwsAccess => ({
  endpoint: awsUrl,
  region: environment.AWS_REGION ?? '',
  credentials: cloud.credentials,
})

/** Makes a client of AWS disposable, so that a `using` declaration destroys it. */
export const disposable = <Client extends { destroy(): void }>(client: Client): Client & Disposable =>
  Object.assign(client, { [Symbol.dispose]: () => client.destroy() })
