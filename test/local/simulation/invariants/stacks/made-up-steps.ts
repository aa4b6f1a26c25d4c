import type { StackStep } from '../../../../../local/simulation/deploying/stack.ts'
import type { StackAnswer } from '../../../../../local/simulation/deploying/stack-answers.ts'
import type { StackState } from '../../../../../local/simulation/deploying/stack-state.ts'

export const project = (id: string, more: Partial<StackState['projects'][number]> = {}) => ({
  ...{ id, name: 'Live', status: 'ACTIVE', secretSha256: `secret of ${id}` },
  ...more,
})
/** A project that is there before the stack. */
export const other = project('100', { name: '' })

const empty = { versionId: 'first', isEmpty: true, isAccepted: false }
export const holding = (apiKey: string, versionId = 'second') => ({
  ...{ versionId, apiKey, isEmpty: false, isAccepted: true },
})

/** The state before a deployment. */
export const before: StackState = {
  projects: [other],
  projectSecret: empty,
  uploadKey: { accessKeyId: 'AKIA1', isAccepted: true },
  isKeyRotating: false,
  isSecretRotating: false,
  isUploadUnderWay: false,
  hasPolicy: true,
  accessKeys: [{ accessKeyId: 'AKIA1', isActive: true, createdAt: 0 }],
}
/** The state after the creation of the project 200. */
export const created: StackState = { ...before, projects: [other, project('200')], projectSecret: holding('200') }

const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Project' }
export const success = (PhysicalResourceId: string, more: Partial<StackAnswer> = {}): StackAnswer => ({
  ...{ ...ids, Status: 'SUCCESS', PhysicalResourceId, Data: { ApiKey: PhysicalResourceId } },
  ...more,
})
export const failure = (PhysicalResourceId: string, Reason = 'It failed.'): StackAnswer => ({
  ...{ ...ids, Status: 'FAILED', PhysicalResourceId, Reason },
})

type Request = Extract<StackStep['act'], { kind: 'request' }>['request']

/** Returns a step with a request, which is answered once. */
export const step = (
  request: Partial<Request> & Pick<Request, 'type'>,
  answer: StackAnswer | undefined,
  observed: Partial<Pick<StackStep, 'before' | 'after' | 'faults'>> = {},
): StackStep => ({
  ...{ from: 0, to: 60_000, before, after: created, faults: [] },
  ...observed,
  act: {
    ...{ kind: 'request', ids, isRepeated: false },
    request: { resource: 'Project', name: 'Live', status: 'ACTIVE', ...request },
    answers: answer ? [answer] : [],
  },
})
export const creation = step({ type: 'Create' }, success('200'))

/** A fault of a call of the function that manages the project. */
export const fault = (operation: string, kind = 'lost after') =>
  ({ caller: 'ManageProject', operation, kind, at: 0 }) as StackStep['faults'][number]
