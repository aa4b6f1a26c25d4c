import type { LogLine } from '../local/function-log.ts'

/** One call of the API, as the access log has it; `-` where there is no value. */
export interface AuditedCall {
  readonly at: string
  /** The subject of the caller's token; `-` for a request without a valid one. */
  readonly caller: string
  readonly route: string
  readonly path: string
  readonly status: string
  /** The `requestId` of the lines that the function wrote; `-` where API Gateway refused the request itself. */
  readonly functionRequestId: string
}

/** Lists the calls in a laptop's log whose path names `id`, or all of them, oldest first. */
export function auditedCalls(lines: readonly LogLine[], id?: string): AuditedCall[] {
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
    return undefined // the disk was full in the midst of a line
  }
}

/** Writes the query of CloudWatch Logs Insights that lists the same calls of a deployment. */
export const auditQueryOf = (stage: string, id?: string): string =>
  [
    `SOURCE logGroups(namePrefix: ['/aws/vendedlogs/apis/showrunner-${stage}'])`,
    'fields @timestamp, caller, route, path, status, address, functionRequestId',
    ...(id === undefined ? [] : [`filter path like /${id}/`]),
    'sort @timestamp desc',
    'limit 1000',
  ].join(' | ')
