import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import type { SmallCloud } from './small-cloud.ts'

/** A request for a service whose SDK client is not at hand. */
export interface Call {
  /** By which the request is signed. */
  readonly service: string
  /** `X-Amz-Target`; absent for services that have none. */
  readonly target?: string
  readonly path?: string
  readonly contentType?: string
  readonly body: string
}

/** Has the SDK's own signer sign a request, and sends it. */
export async function send({ cloud, clock, connect }: SmallCloud, call: Call): Promise<Response> {
  const { service, target, path = '/', contentType = 'application/x-amz-json-1.0', body } = call
  const { config } = connect(EventBridgeClient)
  const signer = await config.signer({ name: 'sigv4', signingName: service, signingRegion: 'us-east-1' } as never)
  const headers = { host: 'aws.invalid', 'content-type': contentType, ...(target && { 'x-amz-target': target }) }
  const url = { protocol: 'http:', hostname: 'aws.invalid', path }
  const request = { method: 'POST', ...url, query: {}, headers, body }
  const signed = await signer.sign(request, { signingDate: new Date(clock.now()) })
  return cloud.aws(new Request(`http://aws.invalid${path}`, { method: 'POST', headers: signed.headers, body }))
}

/** An operation of SQS, as its SDK would call it; resolves to what it answers. */
export async function callSqs(small: SmallCloud, operation: string, input: object): Promise<Record<string, unknown>> {
  const body = JSON.stringify(input)
  const answer = await send(small, { service: 'sqs', target: `AmazonSQS.${operation}`, body })
  return (await answer.json()) as Record<string, unknown>
}
