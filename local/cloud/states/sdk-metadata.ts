import { createHash } from 'node:crypto'

/** Headers of a service’s answer, as Step Functions shows them. */
type Headers = Readonly<Record<string, string>>

/**
 * Returns what Step Functions adds to the result of an optimized integration: the answer's headers and its request id.
 * Expressions that enumerate a whole result see these members on AWS, so they see them here.
 * Source: executions recorded on AWS. `AllHttpHeaders` holds a list for each header, except for the request id.
 */
export function sdkMetadata(body: string, answer: { now: number; requestId: string; headers: Headers }): object {
  const { now, requestId, headers: own } = answer
  const headers = {
    ...own,
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date(now).toUTCString(),
    'x-amzn-RequestId': requestId,
  }
  const lists = Object.entries(headers).map(([name, value]) => [name, name === 'x-amzn-RequestId' ? value : [value]])
  return {
    SdkHttpMetadata: { AllHttpHeaders: Object.fromEntries(lists), HttpHeaders: headers, HttpStatusCode: 200 },
    SdkResponseMetadata: { RequestId: requestId },
  }
}

/** Creates request ids that repeat from run to run, without randomness of the machine. */
export function createRequestIds(): () => string {
  let count = 0
  return () => {
    const hex = createHash('sha256').update(`request ${++count}`).digest('hex')
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `a${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join('-')
  }
}
