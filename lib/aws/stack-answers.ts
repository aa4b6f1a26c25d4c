import { ServiceError, TaskInputError } from '../tasks/errors.ts'

/** What CloudFormation is told of a custom resource (CloudFormation user guide, "Custom resource response objects"). */
export interface StackAnswer {
  readonly Status: 'SUCCESS' | 'FAILED'
  /** Why it failed, in words that CloudFormation shows. */
  readonly Reason?: string
  readonly PhysicalResourceId: string
  readonly StackId: string
  readonly RequestId: string
  readonly LogicalResourceId: string
  /** What the template may read by Fn::GetAtt; nothing secret. */
  readonly Data?: Readonly<Record<string, string>>
}

/**
 * Answers a request for a custom resource. No message shows the URL, which is signed.
 * @throws ServiceError when the answer does not arrive
 * @throws TaskInputError when the URL is not one of S3
 */
export type StackAnswers = (url: string, answer: StackAnswer) => Promise<void>

/** CloudFormation takes 4,096 bytes in all. */
const MAX_REASON = 800

/** The answer to a request that cannot be met. */
export const failure = (error: Error) => ({ Status: 'FAILED' as const, Reason: error.message.slice(0, MAX_REASON) })

/** Endpoints of S3 in all partitions, with or without a region, after a bucket's name. */
const S3_HOST = /^[a-z0-9.-]+\.s3([.-][a-z0-9-]+)*\.amazonaws\.(com|com\.cn|eu)$/

/** @param awsUrl where AWS is reached locally, which takes answers as well; undefined on AWS */
export function createStackAnswers(fetch: typeof globalThis.fetch, awsUrl?: string): StackAnswers {
  const isTaken = (text: string): boolean => {
    const url = URL.parse(text)
    if (!url) return false
    return (url.protocol === 'https:' && !url.port && S3_HOST.test(url.hostname)) || url.origin === originOf(awsUrl)
  }
  return async (url, answer) => {
    if (!isTaken(url))
      throw new TaskInputError(
        'The ResponseURL is not one of S3 by https: only CloudFormation may ask for this resource.',
      )
    // The URL is signed for an object without a content type.
    const request = { method: 'PUT', headers: { 'content-type': '' }, body: JSON.stringify(answer) }
    const response = await fetch(url, { ...request, redirect: 'error' }).catch((error: unknown) => {
      throw new ServiceError(`CloudFormation cannot be answered (${(error as Error).name}).`)
    })
    if (!response.ok) throw new ServiceError(`CloudFormation does not take the answer (status ${response.status}).`)
  }
}

const originOf = (url: string | undefined) => (url === undefined ? undefined : new URL(url).origin)
