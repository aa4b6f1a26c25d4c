import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

/** One thing that is wrong with a request, and where. */
interface Detail {
  readonly path: string
  readonly message: string
}

/** A request that is refused; becomes a problem document (RFC 9457). `detail` is a sentence that says what to do. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly problems: readonly Detail[] | undefined

  constructor(status: number, detail: string, problems?: readonly Detail[]) {
    super(detail)
    this.status = status
    this.problems = problems
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  409: 'Conflict',
  500: 'Internal Server Error',
}

/** The answer to a request that failed; of an error that is no ApiProblem it tells only the request's id. */
export function problemResponse(error: unknown, requestId: string): APIGatewayProxyStructuredResultV2 {
  const known = error instanceof ApiProblem ? error : undefined
  const status = known?.status ?? 500
  const body = {
    type: 'about:blank',
    title: TITLES[status] ?? 'Error',
    status,
    detail: known?.message ?? `Showrunner failed; ask its operator to look up request ${requestId} in the log.`,
    ...(known?.problems && { problems: known.problems }),
  }
  return { statusCode: status, headers: { 'content-type': 'application/problem+json' }, body: JSON.stringify(body) }
}
