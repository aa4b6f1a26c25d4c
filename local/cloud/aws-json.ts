/** An error in the shape in which AWS's JSON services answer it. */
export class AwsError extends Error {
  readonly status: number

  constructor(name: string, message: string, status = 400) {
    super(message)
    this.name = name
    this.status = status
  }
}

export type JsonOperation = (input: Record<string, unknown>) => unknown

/**
 * Answers requests of an AWS JSON service: the operation's name is behind the dot of `X-Amz-Target`.
 * What is not in `operations` is refused by name.
 */
export function createJsonService(operations: Readonly<Record<string, JsonOperation>>) {
  return async (request: Request): Promise<Response> => {
    const name = request.headers.get('x-amz-target')?.split('.').at(-1) ?? ''
    try {
      const operation = operations[name]
      if (!operation) throw new AwsError('UnknownOperationException', `${name} is not known on a laptop.`)
      return answer((await operation((await request.json()) as Record<string, unknown>)) ?? {}, 200)
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      return answer({ __type: error.name, message: error.message }, error.status)
    }
  }
}

const answer = (body: unknown, status: number) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/x-amz-json-1.1' } })
