/** Seconds before a show was accepted and after it ended in which functions may log about it. */
const MARGIN = 3_600

export interface LogQueryOptions {
  readonly showId: string
  /** Undefined if only the address of the API is known. The query then covers all stages. */
  readonly stage: string | undefined
  readonly acceptedAt: string
  readonly endedAt: string | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Returns the query of CloudWatch Logs Insights for every log line of a deployment that contains the id of a show, and the
 * commands of the AWS CLI that start it and read its results. Times are in seconds since the epoch.
 */
export function logQueryOf({ showId, stage, acceptedAt, endedAt, now }: LogQueryOptions) {
  const from = Math.floor(Date.parse(acceptedAt) / 1000) - MARGIN
  const to = Math.ceil((endedAt ? Date.parse(endedAt) : now) / 1000) + MARGIN
  const prefix = stage ? `/showrunner/${stage}/` : '/showrunner/'
  const query = [
    `SOURCE logGroups(namePrefix: ['${prefix}'])`,
    'fields @timestamp, @log, @message',
    `filter @message like /${showId}/`, // ids have no special characters of regular expressions
    'sort @timestamp asc',
    'limit 10000',
  ].join(' | ')
  const commands = [
    `aws logs start-query --start-time ${from} --end-time ${to} --query-string "${query}"`,
    'aws logs get-query-results --query-id …   # the queryId of the answer',
  ]
  return { from, to, query, commands }
}
