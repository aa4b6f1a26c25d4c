import type { SFNClient } from '@aws-sdk/client-sfn'
import { messageIn, requestLambda } from './lambda-requests.ts'

/** Invokes a function asynchronously. @throws Error when Lambda does not accept the event */
export async function invokeFunctionLater(client: SFNClient, functionArn: string, body: string): Promise<void> {
  const { status, text } = await invoke(client, functionArn, body, 'Event')
  if (status !== 202) throw new Error(messageIn(text) ?? `Lambda answered ${status}.`)
}

/** Invokes a function and returns its result. @throws Error with its message when it fails */
export async function invokeFunction(client: SFNClient, functionArn: string, event: object): Promise<unknown> {
  const { status, text } = await invoke(client, functionArn, JSON.stringify(event), 'RequestResponse')
  if (status !== 200) throw new Error(messageIn(text) ?? `Lambda answered ${status}.`)
  const result: unknown = JSON.parse(text)
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
