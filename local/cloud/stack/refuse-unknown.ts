import { isDeepStrictEqual } from 'node:util'
import type { Template, TemplateResource } from '../assembly.ts'
import { isCustomResource } from './custom-resource.ts'
import { INERT_RESOURCES, KNOWN_RESOURCES, type Known } from './known-resources.ts'

/** Supported sections. Rules only check parameters of a real deployment. */
const SECTIONS = [
  'AWSTemplateFormatVersion',
  'Description',
  'Metadata',
  'Parameters',
  'Conditions',
  'Resources',
  'Outputs',
  'Rules',
]
const ATTRIBUTES = ['Type', 'Properties', 'Metadata', 'DependsOn', 'DeletionPolicy', 'UpdateReplacePolicy']

const knownAs = (type: string): Known | undefined =>
  Object.hasOwn(KNOWN_RESOURCES, type) ? KNOWN_RESOURCES[type] : undefined

/** Returns the properties of a resource that have an effect here. */
export function honouredOf({ Type, Properties = {} }: TemplateResource): Readonly<Record<string, unknown>> {
  if (isCustomResource(Type)) return Properties
  const { honoured = [] } = knownAs(Type) ?? {}
  return Object.fromEntries(Object.entries(Properties).filter(([name]) => honoured.includes(name)))
}

/** @throws Error naming everything that has an effect on AWS and none here */
export function refuseUnknown(template: Template): void {
  const sections = Object.keys(template).filter((name) => !SECTIONS.includes(name))
  const problems = [
    ...sections.map((name) => `the section ${name}`),
    ...Object.entries(template.Resources).flatMap(([logicalId, resource]) => problemsOf(logicalId, resource)),
    ...apisBeyondOne(template),
  ]
  if (problems.length > 0) throw new Error(`The local cloud does not support ${problems.join(', ')}.`)
}

function problemsOf(logicalId: string, resource: TemplateResource): string[] {
  const { Type: type, Properties: properties = {} } = resource
  const named = `${logicalId} (${type})`
  const attributes = Object.keys(resource).filter((name) => !ATTRIBUTES.includes(name))
  if (INERT_RESOURCES.has(type) || isCustomResource(type)) return attributes.map((name) => `${name} of ${named}`)
  const known = knownAs(type)
  if (!known) return [named]
  const { honoured, inert: without = [], values = {}, options = {} } = known
  const unknown = Object.keys(properties).filter((name) => !honoured.includes(name) && !without.includes(name))
  const wrong = Object.entries(values).filter(
    ([name, allowed]) => !allowed.some((value) => isDeepStrictEqual(value, properties[name])),
  )
  const others = Object.entries(options).flatMap(([name, allowed]) =>
    Object.keys(properties[name] ?? {})
      .filter((option) => !allowed.includes(option))
      .map((option) => `${option} of ${name}`),
  )
  return [
    ...[...attributes, ...unknown, ...others].map((name) => `${name} of ${named}`),
    ...wrong.map(([name]) => `the ${name} ${JSON.stringify(properties[name])} of ${named}`),
  ]
}

/** Finds HTTP APIs beyond the first: all routes share one address. */
function apisBeyondOne({ Resources }: Template): string[] {
  const apis = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Api')
  return apis.slice(1).map(([logicalId]) => `a second API, ${logicalId}`)
}
