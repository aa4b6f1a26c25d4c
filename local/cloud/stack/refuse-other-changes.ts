import { isDeepStrictEqual } from 'node:util'
import type { Template, TemplateResource } from '../assembly.ts'
import { INERT_RESOURCES } from './known-resources.ts'
import { honouredOf } from './refuse-unknown.ts'

/** What a deployment can change while the cloud runs: the code and the flow of executions. */
const CHANGEABLE = ['AWS::Lambda::Function', 'AWS::Lambda::EventInvokeConfig', 'AWS::StepFunctions::StateMachine']
const VERSIONS = ['AWS::Lambda::Version', 'AWS::StepFunctions::StateMachineVersion']

/**
 * Of all else, what is stored or waits would have to change with it.
 * @throws Error naming everything that a deployment would change beside functions, state machines and their versions
 */
export function refuseOtherChanges(from: Template, to: Template): void {
  const sections = (['Parameters', 'Outputs'] as const).filter((name) => !isDeepStrictEqual(from[name], to[name]))
  const ids = new Set([...Object.keys(from.Resources), ...Object.keys(to.Resources)])
  const problems = [
    ...sections.map((name) => `the ${name}`),
    ...[...ids].filter((id) => !isAllowed(from.Resources[id], to.Resources[id])),
  ]
  if (problems.length > 0)
    throw new Error(
      `While the cloud runs, a deployment changes functions and state machines, and leaves their versions: not ${problems.join(', ')}.`,
    )
}

function isAllowed(before: TemplateResource | undefined, after: TemplateResource | undefined): boolean {
  const { Type: type = '' } = after ?? before ?? {}
  if (before && after && before.Type !== type) return false
  if (INERT_RESOURCES.has(type)) return true
  if (VERSIONS.includes(type)) return !before || isRetained(before)
  if (CHANGEABLE.includes(type)) return after !== undefined
  return isDeepStrictEqual(before && honouredOf(before), after && honouredOf(after))
}

/** AWS deletes any other version together with what names it: executions that run would find nothing to call. */
const isRetained = ({ DeletionPolicy, UpdateReplacePolicy }: TemplateResource) =>
  DeletionPolicy === 'Retain' && UpdateReplacePolicy === 'Retain'
