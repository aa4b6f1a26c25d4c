import type { JWTPayload } from 'jose'

/** One request and its answer, as API Gateway logs it. */
export interface AccessFacts {
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly time: number
  /** Absent where no route matches. */
  readonly routeKey?: string | undefined
  readonly path: string
  readonly method: string
  readonly status: number
  /** Latency in milliseconds. */
  readonly latency: number
  readonly claims?: JWTPayload | undefined
  /** The authorizer’s reason for refusing the request. */
  readonly authorizerError?: string | undefined
  /** The request id of the function, if one was called. */
  readonly functionRequestId?: string | undefined
}

/** Values of the variables of a log format ("Customize HTTP API access logs" in the API Gateway developer guide). */
const VARIABLES: Readonly<Record<string, (facts: AccessFacts) => string | undefined>> = {
  requestId: ({ requestId }) => requestId,
  requestTime: ({ time }) => toLogTime(time),
  requestTimeEpoch: ({ time }) => String(time),
  routeKey: ({ routeKey }) => routeKey,
  path: ({ path }) => path,
  httpMethod: ({ method }) => method,
  status: ({ status }) => String(status),
  responseLatency: ({ latency }) => String(latency),
  stage: () => '$default',
  'identity.sourceIp': () => '127.0.0.1',
  'authorizer.error': ({ authorizerError }) => authorizerError,
  'integration.requestId': ({ functionRequestId }) => functionRequestId,
}

const CLAIM = /^authorizer\.claims\.([\w:-]+)$/
const VARIABLE = /\$context\.([\w.:-]*[\w:-])/g

/** Lists the variables of a format that are not known here. */
export const unknownVariables = (format: string): string[] =>
  [...format.matchAll(VARIABLE)].flatMap(([variable, name = '']) =>
    Object.hasOwn(VARIABLES, name) || CLAIM.test(name) ? [] : [variable],
  )

/** Writes one line of the access log; a variable without a value is `-`, as on AWS. */
export const toLogLine = (format: string, facts: AccessFacts): string =>
  format.replace(VARIABLE, (_, name: string) => {
    const [, claim] = CLAIM.exec(name) ?? []
    const value = claim === undefined ? VARIABLES[name]?.(facts) : facts.claims?.[claim]
    return value === undefined ? '-' : JSON.stringify(String(value)).slice(1, -1)
  })

/** Formats a time as `12/Mar/2020:19:03:58 +0000`. */
export function toLogTime(time: number): string {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ')
  return `${day}/${month}/${year}:${clock} +0000`
}
