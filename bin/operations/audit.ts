import type { FunctionLogLine } from '../local/function-log.ts'

/** A call in the access log of the API. `-` means no value. */
export interface AuditedCall {
  readonly at: string
  /** Subject of the caller's token; `-` without a valid token. */
  readonly caller: string
  readonly route: string
  readonly path: string
  readonly status: string
  /** The `requestId` in the log lines of the function; `-` if API Gateway refused the request. */
  readonly functionRequestId: string
}

/** Lists the calls in a local log whose path contains `id`, or all calls, oldest first. */
export function auditedCalls(lines: readonly FunctionLogLine[], id?: string): AuditedCall[] {
  return lines.flatMap(({ at, name, text }) => {
    const call = name === 'AccessLog' ? readCall(at, text) : undefined
    return call && (id === undefined || call.path.split('/').includes(id)) ? [call] : []
  })
}

function readCall(at: string, text: string): AuditedCall | undefined {
  try {
    const { caller, route, path, status, functionRequestId } = JSON.parse(text)
    return { at, caller, route, path, status, functionRequestId }
  } catch {
    return undefined // the disk was full while the line was written
  }
}

/** Returns the query of CloudWatch Logs Insights that lists the same calls of a deployment. */
export const auditQueryOf = (stage: string, id?: string): string =>
  [
    `SOURCE logGroups(namePrefix: ['/aws/vendedlogs/apis/showrunner-${stage}'])`,
    'fields @timestamp, caller, route, path, status, address, functionRequestId',
    ...(id === undefined ? [] : [`filter path like /${id}/`]),
    'sort @timestamp desc',
    'limit 1000',
  ].join(' | ')
