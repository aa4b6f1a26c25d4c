import type { StackAct, StackStep } from '../../deploying/stack.ts'
import type { StackAnswer } from '../../deploying/stack-answers.ts'
import type { FailedCall } from '../../faults/faults.ts'

type RequestAct = Extract<StackAct, { kind: 'request' }>

/** A request of CloudFormation, with what was observed before and after it. */
export interface ObservedRequest extends Omit<StackStep, 'act'>, Omit<RequestAct, 'kind'> {
  /** The first answer, which CloudFormation reads. */
  readonly answer: StackAnswer | undefined
  /** Names the request in a violation. */
  readonly words: string
}

/** Returns the requests among the steps of a stack. */
export const requestsIn = (steps: readonly StackStep[]): ObservedRequest[] =>
  steps.flatMap(({ act, ...step }) => {
    if (act.kind !== 'request') return []
    const { resource, type, physicalId } = act.request
    const words = `${type} of ${resource}${physicalId === undefined ? '' : ` ${physicalId}`}`
    return [{ ...step, ...act, answer: act.answers[0], words }]
  })

/** Faults of a call of the platform that its client repeats, or after which the caller adopts what the call has made. */
const REPEATED: ReadonlySet<string> = new Set(['lost before', 'lost after', '429', '500'])
/** Faults after which Lambda repeats the invocation. */
const RETRIED = /^(killed|throttled|crashed|timed out|out of memory)/

/** Returns true for a fault that must not fail a request: a call is repeated, or Lambda repeats the invocation. */
const isTolerated = ({ operation, kind }: FailedCall): boolean =>
  RETRIED.test(kind) ||
  operation === 'cloudformation answer' ||
  (operation.startsWith('platform ') && REPEATED.has(kind))

/** Returns true for a request that cannot be carried out (docs/deploy.md, `platform.project`). */
export function isRefused({ request, before }: ObservedRequest): boolean {
  const { resource, type, name, physicalId } = request
  if (resource !== 'Project' || type === 'Delete') return false
  if (name === '') return true
  const { apiKey } = before.projectSecret
  const key = type === 'Create' ? apiKey : physicalId
  // A project cannot be renamed, and the key of another one is not replaced.
  return key !== undefined && before.projects.find(({ id }) => id === key)?.name !== name
}

/** Returns true for a request that no fault may fail. */
export const mustSucceed = (request: ObservedRequest): boolean => {
  const [fault, second] = request.faults
  return !isRefused(request) && (fault === undefined || (second === undefined && isTolerated(fault)))
}
