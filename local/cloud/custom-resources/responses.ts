import { parseObject } from '../endpoint/aws-json.ts'
import { collectBody } from '../endpoint/request-body.ts'
import type { CustomResource, CustomResourceRequest } from '../stack/custom-resource.ts'

/** CloudFormation user guide, "Custom resource response objects". */
const MAX_BYTES = 4096
const PATH = '/cloudformation-custom-resource-response/'

/** Receives the responses of custom resources. */
export type Responses = ReturnType<typeof createResponses>

/**
 * Creates the addresses of responses.
 * @param baseUrl URL whose requests `take` handles
 * @param newId makes addresses that cannot be guessed
 */
export function createResponses(baseUrl: string, newId: () => string) {
  const waiting = new Map<string, (text: string) => void>()

  const receive = async (request: Request, path: string): Promise<Response> => {
    const settle = waiting.get(path)
    if (request.method !== 'PUT' || !settle) return new Response(null, { status: 403 })
    const body = await collectBody(request, MAX_BYTES)
    settle(body ? body.toString() : JSON.stringify(TOO_LONG))
    waiting.delete(path)
    return new Response(null, { status: 200 })
  }

  return {
    /** Returns an address for one response, and a promise of it. The promise rejects with the reason of a failure. */
    expect(request: Omit<CustomResourceRequest, 'ResponseURL'>): { url: string; response: Promise<CustomResource> } {
      const { promise, resolve } = Promise.withResolvers<string>()
      const path = `${PATH}${newId()}`
      waiting.set(path, resolve)
      return { url: `${baseUrl}${path}`, response: promise.then((text) => readResponse(text, request)) }
    },
    /** Handles a request to one of the addresses; undefined for any other. */
    take(request: Request): Promise<Response> | undefined {
      const { pathname } = new URL(request.url)
      return pathname.startsWith(PATH) ? receive(request, pathname) : undefined
    },
  }
}

const TOO_LONG = { Status: 'FAILED', Reason: `Response object is too long: it must have at most ${MAX_BYTES} bytes.` }

function readResponse(text: string, request: Omit<CustomResourceRequest, 'ResponseURL'>): CustomResource {
  const response = parseObject(text)
  if (!response) throw new Error('the response is not a JSON object')
  if (response.Status === 'FAILED') throw new Error(String(response.Reason ?? 'no reason was given'))
  if (response.Status !== 'SUCCESS') throw new Error('the response has neither the Status SUCCESS nor FAILED')
  for (const name of ['StackId', 'RequestId', 'LogicalResourceId'] as const)
    if (response[name] !== request[name]) throw new Error(`the ${name} of the response is not that of the request`)
  const { PhysicalResourceId: physicalId, Data: data = {} } = response
  if (typeof physicalId !== 'string' || !physicalId) throw new Error('the response has no PhysicalResourceId')
  if (data === null || typeof data !== 'object') throw new Error('the Data of the response is not an object')
  return { physicalId, data: data as CustomResource['data'] }
}
