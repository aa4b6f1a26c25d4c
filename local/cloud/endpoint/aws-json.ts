/** An error in the shape in which AWS's JSON services answer it. */
export class AwsError extends Error {
  readonly status: number

  constructor(name: string, message: string, status = 400) {
    super(message)
    this.name = name
    this.status = status
  }
}

export type JsonInput = Readonly<Record<string, unknown>>

/** What an operation does, and the members that it takes; any other is refused. */
export interface JsonOperation {
  readonly takes: readonly string[]
  run(input: JsonInput): object
}

/**
 * Answers requests of an AWS JSON service: the operation's name is behind the dot of `X-Amz-Target`.
 * What is not in `operations` is refused by name.
 */
export function createJsonService(operations: Readonly<Record<string, JsonOperation>>) {
  return async (request: Request): Promise<Response> => {
    try {
      const name = request.headers.get('x-amz-target')?.split('.').at(-1) ?? ''
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
      if (!operation) throw new AwsError('UnknownOperationException', `${name} is not known on a laptop.`)
      return answer(operation.run(await readInput(request, operation.takes)))
    } catch (error) {
      if (error instanceof AwsError) return refuse(error)
      throw error
    }
  }
}

/** The answer of every JSON service to what it does not do. */
export const refuse = ({ name, message, status }: AwsError): Response => answer({ __type: name, message }, status)

const answer = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/x-amz-json-1.1' } })

async function readInput(request: Request, takes: readonly string[]): Promise<JsonInput> {
  const input = parse(await request.text())
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    throw new AwsError('SerializationException', 'The request body is not a JSON object.')
  const given = Object.entries(input).filter(([, value]) => value !== null)
  const unknown = given.find(([name]) => !takes.includes(name))
  if (unknown) throw new AwsError('ValidationException', `${unknown[0]} is not known on a laptop.`)
  return Object.fromEntries(given)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // refused as whatever else is no object
  }
}
