import type { Assembly, Template, TemplateResource } from '../../cloud/assembly.ts'

/** The kind of a deployment while shows run, in the trace. */
export const DEPLOYED = 'deployment'

/** The variable of functions that names their deployment. Absent in the first one. */
export const DEPLOYMENT = 'SIMULATED_DEPLOYMENT'

/** Returns the name of the state with which executions of a deployment begin. */
export const deployedState = (number: number) => `Deployed ${number}`

/** Returns the number of the deployment whose definition has this state; undefined for another state. */
export function deploymentOf(state: string): number | undefined {
  const [, number] = /^Deployed (\d+)$/.exec(state) ?? []
  return number === undefined ? undefined : Number(number)
}

/**
 * Returns the assembly of a later deployment: functions have another bundle and other versions, and machines another
 * definition, which begins with one more state. Both behave as before.
 * @param number of the deployment, from 1
 */
export function redeployed({ template, ...rest }: Assembly, number: number): Assembly {
  const resources = Object.entries(template.Resources).map(([id, resource]) => [id, changed(resource, number)])
  const text = JSON.stringify({ ...template, Resources: Object.fromEntries(resources) })
  return { ...rest, template: JSON.parse(text.replace(versionsIn(template), `"$1Of${number}"`)) }
}

/** Matches the ids of published versions of functions. Other content is published under another id. */
function versionsIn({ Resources }: Template): RegExp {
  const ids = Object.entries(Resources).filter(([, { Type: type }]) => type === 'AWS::Lambda::Version')
  return new RegExp(`"(${ids.map(([id]) => id).join('|')})"`, 'g')
}

function changed(resource: TemplateResource, number: number): TemplateResource {
  const { Type: type, Properties: properties = {} } = resource
  if (type === 'AWS::Lambda::Function') {
    const { Variables: variables } = (properties.Environment ?? {}) as { readonly Variables?: object }
    const Environment = { Variables: { ...variables, [DEPLOYMENT]: String(number) } }
    return { ...resource, Properties: { ...properties, Environment } }
  }
  if (type !== 'AWS::StepFunctions::StateMachine') return resource
  const definition = JSON.parse(String(properties.DefinitionString)) as Definition
  const first = { Type: 'Pass', Next: definition.StartAt }
  const States = { [deployedState(number)]: first, ...definition.States }
  const DefinitionString = JSON.stringify({ ...definition, StartAt: deployedState(number), States })
  return { ...resource, Properties: { ...properties, DefinitionString } }
}

interface Definition {
  readonly StartAt: string
  readonly States: object
}
