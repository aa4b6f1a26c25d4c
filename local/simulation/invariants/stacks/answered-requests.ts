import type { Evidence } from '../evidence.ts'
import { isRefused, mustSucceed, type ObservedRequest, requestsIn } from './requests-in.ts'

/** Faults that can fail an invocation and both of its repetitions by Lambda. */
const ATTEMPTS = 3

/**
 * Checks the answers for custom resources: each request has one with its own ids and within the hour, and it succeeds unless it
 * cannot be carried out. A physical id stays, because CloudFormation deletes the resource of a former one.
 */
export const answeredRequests = ({ stackSteps }: Pick<Evidence, 'stackSteps'>): string[] =>
  requestsIn(stackSteps).flatMap((request) => problemsOf(request).map((problem) => `${request.words} ${problem}`))

function problemsOf(observed: ObservedRequest): string[] {
  const { answer, answers, ids, faults, request } = observed
  if (!answer) return faults.length >= ATTEMPTS ? [] : ['was not answered']
  const { Status, Reason, PhysicalResourceId: physicalId, Data } = answer
  const strangers = answers.filter((one) =>
    (Object.keys(ids) as (keyof typeof ids)[]).some((id) => one[id] !== ids[id]),
  )
  const isSuccess = Status === 'SUCCESS'
  const isMade = isSuccess && request.type === 'Create' && request.resource === 'Project'
  return [
    ...(strangers.length > 0 ? ['was answered with the ids of another request'] : []),
    ...(isSuccess || Status === 'FAILED' ? [] : [`was answered with the status ${Status}`]),
    ...(isSuccess && isRefused(observed) ? ['was carried out, although it cannot be'] : []),
    ...(!isSuccess && mustSucceed(observed) ? [`failed: ${Reason}`] : []),
    ...(isSuccess || Reason ? [] : ['failed without a reason']),
    ...(physicalId ? [] : ['was answered without a physical id']),
    ...(request.physicalId === undefined || physicalId === request.physicalId
      ? []
      : [`was answered with the physical id ${physicalId}`]),
    ...(isMade && (Data?.ApiKey !== physicalId || observed.after.projectSecret.apiKey !== physicalId)
      ? [`was answered with the project ${physicalId} and the key ${Data?.ApiKey}`]
      : []),
  ]
}
