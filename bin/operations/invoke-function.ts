import type { SFNClient } from '@aws-sdk/client-sfn'
import { requestLambda } from './lambda-requests.ts'

/** Invokes a function asynchronously. @throws Error when Lambda does not accept the event */
export const invokeFunctionLater = async (client: SFNClient, functionArn: string, body: string): Promise<void> =>
  void (await invoke(client, functionArn, body, 'Event'))

/** Invokes a function and returns its result. @throws Error with its message when it fails */
export async function invokeFunction(client: SFNClient, functionArn: string, event: object): Promise<unknown> {
  const result: unknown = JSON.parse(await invoke(client, functionArn, JSON.stringify(event), 'RequestResponse'))
  const { errorMessage } = Object(result) // only errors have this field: no result of a task does
  if (typeof errorMessage === 'string') throw new Error(errorMessage)
  return result
}

function invoke(client: SFNClient, functionArn: string, body: string, type: 'Event' | 'RequestResponse') {
  const [, partition, , region = '', , , name] = functionArn.split(':')
  const path = `/2015-03-31/functions/${name}/invocations`
  const headers = { 'x-amz-invocation-type': type }
  return requestLambda(client, { region, partition }, { method: 'POST', path, headers, body })
}
