import { ServiceError, TaskInputError } from '../tasks/errors.ts'

/** The answer for a custom resource (CloudFormation user guide, "Custom resource response objects"). */
export interface StackAnswer {
  readonly Status: 'SUCCESS' | 'FAILED'
  /** The reason of a failure, which CloudFormation shows. */
  readonly Reason?: string
  readonly PhysicalResourceId: string
  readonly StackId: string
  readonly RequestId: string
  readonly LogicalResourceId: string
  /** Values for Fn::GetAtt in the template; nothing secret. */
  readonly Data?: Readonly<Record<string, string>>
}

/**
 * Answers a request for a custom resource. The URL is signed, so no message shows it.
 * @throws {@link ServiceError} when the answer cannot be delivered
 * @throws {@link TaskInputError} when the URL is not an S3 URL
 */
export type StackAnswers = (url: string, answer: StackAnswer) => Promise<void>

/** Characters. CloudFormation accepts 4,096 bytes in all. */
const MAX_REASON = 800

/** Returns the fields of an answer that report a failure. */
export const failure = (error: Error) => ({ Status: 'FAILED' as const, Reason: error.message.slice(0, MAX_REASON) })

/** Endpoints of S3 in all partitions, with or without a region, after a bucket's name. */
const S3_HOST = /^[a-z0-9.-]+\.s3([.-][a-z0-9-]+)*\.amazonaws\.(com|com\.cn|eu)$/

/** Creates the sender of answers. @param awsUrl endpoint of the local AWS, which accepts answers too */
export function createStackAnswers(fetch: typeof globalThis.fetch, awsUrl?: string): StackAnswers {
  const isAllowed = (text: string): boolean => {
    const url = URL.parse(text)
    if (!url) return false
    return (url.protocol === 'https:' && !url.port && S3_HOST.test(url.hostname)) || url.origin === originOf(awsUrl)
  }
  return async (url, answer) => {
    if (!isAllowed(url))
      throw new TaskInputError(
        'The ResponseURL is not an https URL of S3: only CloudFormation may request this resource.',
      )
    // The URL is signed for an object without a content type.
    const request = { method: 'PUT', headers: { 'content-type': '' }, body: JSON.stringify(answer) }
    const response = await fetch(url, { ...request, redirect: 'error' }).catch((error: unknown) => {
      throw new ServiceError(`CloudFormation cannot be answered (${(error as Error).name}).`)
    })
    if (!response.ok) throw new ServiceError(`CloudFormation does not accept the answer (status ${response.status}).`)
  }
}

const originOf = (url: string | undefined) => (url === undefined ? undefined : new URL(url).origin)
