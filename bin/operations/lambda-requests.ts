import { text } from 'node:stream/consumers'
import type { SFNClient } from '@aws-sdk/client-sfn'

export interface LambdaRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Place {
  readonly region: string
  readonly partition?: string | undefined
}

/**
 * Sends a request of Lambda's REST API.
 * @returns the text of the answer
 * @throws Error with the message of Lambda when it refuses
 */
export const requestLambda = (client: SFNClient, place: Place, request: LambdaRequest): Promise<string> =>
  requestService(client, { ...place, service: 'lambda' }, request)

/**
 * Sends a request to a service of AWS. It uses the signer, credentials and connection of another client, which saves a
 * dependency.
 * @param place.service name of the service in addresses and signatures
 * @returns the text of the answer
 * @throws Error with the message of the service when it refuses
 */
export async function requestService(
  { config }: SFNClient,
  { service, region, partition = 'aws' }: Place & { readonly service: string },
  { method, path, query = {}, headers = {}, body }: LambdaRequest,
): Promise<string> {
  const { protocol, hostname, port } = (await config.endpoint?.()) ?? {
    protocol: 'https:',
    port: undefined,
    hostname: `${service}.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`,
  }
  const request = {
    method,
    protocol,
    hostname,
    path,
    query,
    ...(port && { port }),
    ...(body !== undefined && { body }),
    headers: {
      host: port ? `${hostname}:${port}` : hostname,
      'content-type': 'application/json',
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  }
  const signer = await config.signer()
  const signed = await signer.sign(request, { signingService: service, signingRegion: region })
  const { response } = await config.requestHandler.handle(signed as never)
  const answer = await text(response.body)
  if (response.statusCode < 300) return answer
  throw new Error(messageIn(answer) ?? `${service} answered ${response.statusCode}.`)
}

/** Returns the message of an error. Lambda spells the field `Message`, the gateway in front of it `message`. */
function messageIn(answer: string): string | undefined {
  try {
    const { Message, message = Message } = JSON.parse(answer)
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
