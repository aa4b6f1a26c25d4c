import { AwsError, createRestService } from '../endpoint/aws-json.ts'
import type { FunctionSpec } from './function.ts'
import type { Invocations } from './invocations.ts'

/** Lambda API reference, "Invoke". */
const PATH = /^\/2015-03-31\/functions\/([\w-]+)\/invocations$/

export interface InvokeEndpointOptions {
  readonly functions: () => readonly Pick<FunctionSpec, 'name' | 'arn'>[]
  readonly invoke: Invocations['invoke']
  readonly invokeLater: Invocations['invokeLater']
}

/**
 * Creates the handler of Lambda’s REST protocol: synchronous and asynchronous invocations by a function’s name. The
 * signature is checked before.
 */
export const createInvokeEndpoint = (options: InvokeEndpointOptions) =>
  createRestService((request) => take(request, options))

async function take(request: Request, { functions, invoke, invokeLater }: InvokeEndpointOptions): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const [, name] = PATH.exec(pathname) ?? []
  if (request.method !== 'POST' || !name || search)
    throw new AwsError(
      'UnknownOperationException',
      `${request.method} ${pathname}${search} is not supported locally.`,
      404,
    )
  const type = request.headers.get('x-amz-invocation-type')
  if (type !== 'Event' && type !== 'RequestResponse')
    throw new AwsError(
      'InvalidParameterValueException',
      `The invocation type ${type} is not supported locally: use Event or RequestResponse.`,
    )
  const found = functions().find((one) => one.name === name)
  if (!found) throw new AwsError('ResourceNotFoundException', `Function not found: ${name}`, 404)
  const event: unknown = await request.json().catch(() => {
    throw new AwsError('InvalidRequestContentException', 'Could not parse request body into json.')
  })
  if (type === 'Event') {
    invokeLater(found.arn, event)
    return new Response(null, { status: 202 })
  }
  return invoke(found.arn, event).then(
    (result) => Response.json(result ?? null),
    ({ name, message }: Error) =>
      Response.json({ errorType: name, errorMessage: message }, { headers: { 'x-amz-function-error': 'Unhandled' } }),
  )
}
