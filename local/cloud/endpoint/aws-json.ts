import { z } from 'zod'

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

/** Creates an operation whose members have schemas. */
export const operation = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  run: (input: z.output<z.ZodObject<Shape>>) => object,
): JsonOperation => ({ takes: Object.keys(shape), run: (input) => run(readAs(z.object(shape), input)) })

/** The protocol of a service, where it differs from JSON 1.1 without request ids. */
export interface JsonProtocol {
  readonly version?: '1.0' | '1.1'
  readonly newRequestId?: () => string
}

/**
 * Creates the handler of an AWS JSON service. The operation’s name follows the dot of `X-Amz-Target`. Operations that
 * are not in `operations` are refused by name.
 */
export function createJsonService(
  operations: Readonly<Record<string, JsonOperation>>,
  { version = '1.1', newRequestId }: JsonProtocol = {},
) {
  return async (request: Request): Promise<Response> => {
    const answer = (body: object, status = 200) => {
      const requestId = newRequestId && { 'x-amzn-requestid': newRequestId() }
      const headers = { 'content-type': `application/x-amz-json-${version}`, ...requestId }
      return new Response(JSON.stringify(body), { status, headers })
    }
    try {
      const [, name = ''] = request.headers.get('x-amz-target')?.split('.') ?? []
      const operation = Object.hasOwn(operations, name) && request.method === 'POST' ? operations[name] : undefined
      if (!operation) throw new AwsError('UnknownOperationException', `${name} is not supported locally.`)
      return answer(operation.run(await readInput(request, operation.takes)))
    } catch (error) {
      if (error instanceof AwsError) return answer({ __type: error.name, message: error.message }, error.status)
      throw error
    }
  }
}

/** Returns the error answer of a JSON service. */
export const refuse = ({ name, message, status }: AwsError): Response =>
  Response.json({ __type: name, message }, { status, headers: { 'content-type': 'application/x-amz-json-1.1' } })

/** Parses an input. @throws AwsError ValidationException that names the member */
export function readAs<T>(schema: z.ZodType<T>, input: unknown): T {
  const { success, data, error } = schema.safeParse(input)
  if (success) return data
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys')
    throw validation(`${[...issue.path, issue.keys[0]].join('.')} is not supported locally.`)
  throw validation(`${issue?.path.join('.') || 'The request'}: ${issue?.message}.`)
}

export const validation = (message: string) => new AwsError('ValidationException', message)

async function readInput(request: Request, takes: readonly string[]): Promise<JsonInput> {
  const input = parseObject(await request.text())
  if (!input) throw new AwsError('SerializationException', 'The request body is not a JSON object.')
  const given = Object.entries(input).filter(([, value]) => value !== null)
  const unknown = given.find(([name]) => !takes.includes(name))
  if (unknown) throw validation(`${unknown[0]} is not supported locally.`)
  return Object.fromEntries(given)
}

/** Parses a JSON object; undefined for any other text. */
export function parseObject(text: string): JsonInput | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonInput) : undefined
  } catch {
    return undefined
  }
}

/** Creates the handler of an AWS REST service, which answers errors in its protocol. */
export const createRestService =
  (handle: (request: Request) => Promise<Response>) =>
  async (request: Request): Promise<Response> => {
    try {
      return await handle(request)
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      const { name, message, status } = error
      return Response.json({ Message: message }, { status, headers: { 'x-amzn-errortype': name } })
    }
  }
