/** An error of AWS’s JSON services. */
export class AwsError extends Error {
  readonly status: number

  constructor(name: string, message: string, status = 400) {
    super(message)
    this.name = name
    this.status = status
  }
}

export type JsonInput = Readonly<Record<string, unknown>>

/** An operation and the members that it takes. Others are refused. */
export interface JsonOperation {
  readonly takes: readonly string[]
  run(input: JsonInput): object
}

/**
 * Creates the handler of an AWS JSON service. The operation’s name follows the dot of `X-Amz-Target`. Operations that
 * are not in `operations` are refused by name.
 */
export function createJsonService(operations: Readonly<Record<string, JsonOperation>>) {
  return async (request: Request): Promise<Response> => {
    try {
      const name = request.headers.get('x-amz-target')?.split('.').at(-1) ?? ''
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
      if (!operation) throw new AwsError('UnknownOperationException', `${name} is not supported locally.`)
      return answer(operation.run(await readInput(request, operation.takes)))
    } catch (error) {
      if (error instanceof AwsError) return refuse(error)
      throw error
    }
  }
}

/** Returns the error answer of a JSON service. */
export const refuse = ({ name, message, status }: AwsError): Response => answer({ __type: name, message }, status)

const answer = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/x-amz-json-1.1' } })

async function readInput(request: Request, takes: readonly string[]): Promise<JsonInput> {
  const input = parse(await request.text())
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    throw new AwsError('SerializationException', 'The request body is not a JSON object.')
  const given = Object.entries(input).filter(([, value]) => value !== null)
  const unknown = given.find(([name]) => !takes.includes(name))
  if (unknown) throw new AwsError('ValidationException', `${unknown[0]} is not supported locally.`)
  return Object.fromEntries(given)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // refused like any other value that is not an object
  }
}
