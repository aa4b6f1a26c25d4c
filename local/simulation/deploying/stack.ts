import { stackId } from '../../cloud/stack/custom-resource.ts'
import type { FailedCall } from '../faults/faults.ts'
import { type RotatedCredential, revokeUploadKeys, rotateAndWait, testRotation } from './rotations.ts'
import { physicalIdOf, type StackAnswer } from './stack-answers.ts'
import type { StackParts } from './stack-parts.ts'
import { readStackState, type StackState } from './stack-state.ts'

/** The custom resources of a stack, by their types. */
const resourceTypes = { Project: 'Custom::PlatformProject', UploadKeys: 'Custom::UploadKeys' } as const
export type StackResource = keyof typeof resourceTypes

/** A request of CloudFormation for a custom resource. */
export interface StackRequest {
  readonly resource: StackResource
  readonly type: 'Create' | 'Update' | 'Delete'
  readonly physicalId?: string
  /** Properties of a project. @default those of the template */
  readonly name?: string
  readonly status?: string
}

/** One step of a deployment, with what was observed before and after it. */
export interface StackStep {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly before: StackState
  readonly after: StackState
  /** Calls of the stack's functions that failed meanwhile. */
  readonly faults: readonly FailedCall[]
  readonly act: StackAct
}

export type StackAct =
  | {
      readonly kind: 'request'
      readonly request: StackRequest & Required<Pick<StackRequest, 'name' | 'status'>>
      readonly ids: Required<Pick<StackAnswer, 'StackId' | 'RequestId' | 'LogicalResourceId'>>
      /** True if the event is delivered again. */
      readonly isRepeated: boolean
      /** Every answer to it, in order. */
      readonly answers: readonly StackAnswer[]
    }
  /** A rotation that a deployer has awaited. */
  | { readonly kind: 'rotation'; readonly of: RotatedCredential }
  /** A revocation of the upload keys. `isDone` is false if the key could not be replaced within ten minutes. */
  | { readonly kind: 'revocation'; readonly isDone: boolean }
  /** A test of a rotation by Secrets Manager, with the reason if it failed. */
  | { readonly kind: 'test'; readonly of: RotatedCredential; readonly problem: string }
  /** A change by hand, and what happens while a deployer waits. */
  | { readonly kind: 'other'; readonly words: string }

/** The name of the stack. */
const NAME = 'Simulated'
/** Milliseconds for which CloudFormation waits for an answer. */
const MAX_WAIT = 3_600_000
/** Functions that work for a stack and not for a show. */
const OF_STACKS = /^(ManageProject|DeleteUploadKeys|RotateProjectSecret|RotateUploadKey)$/
const OF_STACKS_INVOKED = /^lambda (ManageProject|DeleteUploadKeys|RotateProjectSecret|RotateUploadKey)$/

export type Stack = ReturnType<typeof createStack>

/** Creates the side of CloudFormation and of a deployer, who observes every step from outside. */
export function createStack(parts: StackParts) {
  const { cloud, clock, faults, answers, random } = parts
  const steps: StackStep[] = []

  const take = async <Act extends StackAct>(act: () => Promise<Act>): Promise<Act> => {
    const [from, before, failed] = [clock.now(), await readStackState(parts), faults.failedCalls.length]
    const done = await act()
    const isOfStack = ({ caller, operation }: FailedCall) => OF_STACKS.test(caller) || OF_STACKS_INVOKED.test(operation)
    steps.push({
      ...{ from, to: clock.now(), before, after: await readStackState(parts), act: done },
      faults: faults.failedCalls.slice(failed).filter(isOfStack),
    })
    return done
  }

  /** Delivers an event, and waits for an answer and for the end of all attempts. */
  const deliver = async (functionArn: string, event: object) => {
    const received: StackAnswer[] = []
    const answered = Promise.withResolvers<void>()
    const timer = clock.at(clock.now() + MAX_WAIT, () => answered.resolve())
    const ResponseURL = answers.expect((answer) => {
      received.push(answer)
      answered.resolve()
    })
    cloud.invocations.invokeLater(functionArn, { ...event, ResponseURL })
    await answered.promise
    timer.cancel()
    await cloud.invocations.settled()
    return received
  }

  const specOf = (resource: StackResource) => {
    const spec = cloud.customResources.find(({ type }) => type === resourceTypes[resource])
    if (!spec) throw new Error(`The template has no ${resourceTypes[resource]}.`)
    return spec
  }
  let last: { readonly functionArn: string; readonly event: object } | undefined

  return {
    steps: steps as readonly StackStep[],
    /** Reads the present state. */
    state: () => readStackState(parts),
    /** The properties of the project in the template. */
    get project() {
      const { Name: name = '', Status: status = '' } = specOf('Project').properties as Record<string, string>
      return { name, status }
    },
    /** Sends a request. Returns the first answer, which CloudFormation reads; undefined if none arrives within an hour. */
    async request(asked: StackRequest): Promise<StackAnswer | undefined> {
      const { id, type, functionArn, properties } = specOf(asked.resource)
      const request = { ...this.project, ...asked }
      const ids = { StackId: stackId(NAME), RequestId: random.hex(32), LogicalResourceId: id }
      const ordered = asked.resource === 'Project' ? { Name: request.name, Status: request.status } : {}
      const event = {
        ...{ ...ids, RequestType: asked.type, ResourceType: type },
        ...(asked.physicalId !== undefined && { PhysicalResourceId: asked.physicalId }),
        ResourceProperties: { ...properties, ...ordered },
        ...(asked.type === 'Update' && { OldResourceProperties: properties }),
      }
      last = { functionArn, event }
      const { answers: received } = await take(async () => ({
        ...{ kind: 'request' as const, request, ids, isRepeated: false },
        answers: await deliver(functionArn, event),
      }))
      return received[0]
    },
    /** Returns the physical id that CloudFormation uses after the first answer to a creation, or after none. */
    physicalIdOf: (resource: StackResource, answer: StackAnswer | undefined): string =>
      physicalIdOf(answer, { stack: NAME, logicalId: specOf(resource).id }, () => random.hex(12)),
    /** Delivers the event of the last request again, as Lambda may do. */
    async repeat(): Promise<void> {
      const former = steps.at(-1)?.act
      if (former?.kind !== 'request' || !last) throw new Error('There is no request to deliver again.')
      const { functionArn, event } = last
      await take(async () => ({ ...former, isRepeated: true, answers: await deliver(functionArn, event) }))
    },
    /** Rotates a secret, and waits until that is done and `seconds` more. */
    rotate: (of: RotatedCredential, seconds = 0) =>
      take(async () => {
        await rotateAndWait(of, parts)
        if (seconds > 0) await clock.sleep(seconds * 1000)
        return { kind: 'rotation' as const, of }
      }),
    /** Replaces the upload key and revokes every former one. */
    async revoke(): Promise<void> {
      await take(async () => ({ kind: 'revocation' as const, isDone: await revokeUploadKeys(parts) }))
    },
    /** Lets Secrets Manager test a rotation. */
    test: (of: RotatedCredential) =>
      take(async () => ({ kind: 'test' as const, of, problem: await testRotation(of, parts, random.hex(32)) })),
    /** Observes a change by hand. */
    observe: (words: string, act: () => Promise<void>) =>
      take(async () => {
        await act()
        return { kind: 'other' as const, words }
      }),
  }
}
