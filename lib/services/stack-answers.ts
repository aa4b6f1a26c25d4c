import { ServiceError } from '../workflow/errors.ts'

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

/** Answers a request for a custom resource. @throws ServiceError when the answer does not arrive; no message shows the URL */
export type StackAnswers = (url: string, answer: StackAnswer) => Promise<void>

export function createStackAnswers(fetch: typeof globalThis.fetch): StackAnswers {
  return async (url, answer) => {
    // The URL is signed for an object without a content type.
    const request = { method: 'PUT', headers: { 'content-type': '' }, body: JSON.stringify(answer) }
    const response = await fetch(url, request).catch((error: unknown) => {
      throw new ServiceError(`CloudFormation cannot be answered (${(error as Error).name}).`)
    })
    if (!response.ok) throw new ServiceError(`CloudFormation does not take the answer (status ${response.status}).`)
  }
}
