import { isDeepStrictEqual } from 'node:util'
import type { StackStep } from '../../deploying/stack.ts'
import type { StackState } from '../../deploying/stack-state.ts'
import type { Evidence } from '../evidence.ts'
import { isRefused, type ObservedRequest, requestsIn } from './requests-in.ts'

/**
 * Checks that a stack creates one project, however often it is asked to, that its secret holds the key of that project, and that
 * no other project of the account is changed. An order that changes nothing, and one that is refused, has no effect. The
 * removal deletes the project whose key the secret holds, and no other.
 */
export function oneProject({ stackSteps }: Pick<Evidence, 'stackSteps'>): string[] {
  const foreign = new Set(stackSteps[0]?.before.projects.map(({ id }) => id))
  const byHand = stackSteps.filter(({ act }) => act.kind === 'other')
  for (const { before, after } of byHand)
    for (const { id } of after.projects) if (!before.projects.some((one) => one.id === id)) foreign.add(id)
  return [
    ...stackSteps.flatMap(({ before, after, act }) =>
      before.projects.flatMap((project) => {
        const isKept = after.projects.some((one) => isDeepStrictEqual(one, project))
        return !foreign.has(project.id) || isKept || isAside(act)
          ? []
          : [`the project ${project.id}, which the stack has not created, was changed or deleted`]
      }),
    ),
    ...requestsIn(stackSteps)
      .filter(({ request }) => request.resource === 'Project')
      .flatMap((observed) => {
        const own = observed.after.projects.filter(({ id }) => !foreign.has(id))
        return problemsOf(observed, own).map((problem) => `after ${observed.words}, ${problem}`)
      }),
  ]
}

/** Returns true for a step of which projects are changed by hand, or beside which chaos may suspend them. */
const isAside = ({ kind }: StackStep['act']) => kind === 'other' || kind === 'revocation'

function problemsOf(observed: ObservedRequest, own: StackState['projects']): string[] {
  const { request, before, after, answer } = observed
  const [project, second] = own
  if (second) return [`the stack has ${own.length} projects`]
  const isSuccess = answer?.Status === 'SUCCESS'
  const isChanged = !isDeepStrictEqual(
    [before.projects, untilUsable(before.projectSecret, after)],
    [after.projects, after.projectSecret],
  )
  if (isRefused(observed)) return isChanged ? ['something has changed, although it was refused'] : []
  if (request.type === 'Delete') return isSuccess ? afterDeletion(observed, isChanged) : []
  if (!isSuccess) return []
  if (!project) return ['the stack has no project']
  const { apiKey, isAccepted } = after.projectSecret
  const former = before.projects.find(({ id }) => id === project.id)
  const isInPlace = former?.status === request.status && before.projectSecret.apiKey === project.id
  return [
    ...(project.name === request.name ? [] : [`the project has the name ${project.name}`]),
    ...(project.status === request.status ? [] : [`the project is ${project.status}`]),
    ...(apiKey === project.id ? [] : [`the secret holds the key ${apiKey}, and the project is ${project.id}`]),
    ...(isAccepted === (request.status === 'ACTIVE')
      ? []
      : [`the platform ${isAccepted ? 'accepts' : 'refuses'} the secret`]),
    ...(isInPlace && isChanged ? ['something has changed, although nothing was ordered'] : []),
  ]
}

/** Returns a secret as it is after a step that changes nothing: the platform accepts that of a new project up to a minute later. */
const untilUsable = (secret: StackState['projectSecret'], { projectSecret }: Pick<StackState, 'projectSecret'>) => ({
  ...secret,
  isAccepted: secret.isAccepted || projectSecret.isAccepted,
})

function afterDeletion({ request, before, after }: ObservedRequest, isChanged: boolean): string[] {
  const { apiKey } = before.projectSecret
  const isAnothers = apiKey !== undefined && apiKey !== request.physicalId
  if (isAnothers && before.isSecretRotating) return [] // the rotation may end meanwhile, and the secret holds the own key then
  if (isAnothers) return isChanged ? ['something has changed, although the secret holds another key'] : []
  const isThere = after.projects.some(({ id }) => id === request.physicalId)
  return [
    ...(isThere ? ['the project exists'] : []),
    ...(after.projectSecret.isEmpty ? [] : ['the secret is not empty']),
  ]
}
