/** What CloudWatch Logs is to be asked. */
export interface LogQuery {
  /** Seconds since the epoch. */
  readonly from: number
  readonly to: number
  /** In the language of Logs Insights. */
  readonly query: string
  /** That, and how to read the answer, for a shell with the AWS CLI. */
  readonly commands: readonly string[]
}

/** Seconds before a show was accepted and after it has ended in which something may be said of it. */
const MARGIN = 3_600

export interface LogQueryOptions {
  readonly showId: string
  /** Undefined where only the API's address is known: then the logs of every stage are looked through. */
  readonly stage: string | undefined
  readonly acceptedAt: string
  readonly endedAt: string | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Asks for every line of the deployment's functions that names a show, while it was there. */
export function logQueryOf({ showId, stage, acceptedAt, endedAt, now }: LogQueryOptions): LogQuery {
  const from = Math.floor(Date.parse(acceptedAt) / 1000) - MARGIN
  const to = Math.ceil((endedAt ? Date.parse(endedAt) : now) / 1000) + MARGIN
  const prefix = stage ? `/showrunner/${stage}/` : '/showrunner/'
  const query = [
    `SOURCE logGroups(namePrefix: ['${prefix}'])`,
    'fields @timestamp, @log, @message',
    `filter @message like /${showId}/`, // ids have no character that means anything else there
    'sort @timestamp asc',
    'limit 10000',
  ].join(' | ')
  const commands = [
    `aws logs start-query --start-time ${from} --end-time ${to} --query-string "${query}"`,
    'aws logs get-query-results --query-id …   # the queryId of the answer',
  ]
  return { from, to, query, commands }
}
