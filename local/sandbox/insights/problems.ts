import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  Kind,
  KnownArgumentNamesRule,
  ProvidedRequiredArgumentsRule,
  specifiedRules,
  TypeInfo,
  type ValueNode,
  ValuesOfCorrectTypeRule,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { InsightsErrorCode } from '../../../lib/platform/contract/insights/insights.ts'
import { InsightsRefusal, refusalMessageOf } from '../http/insights-refusal.ts'
import { schema } from './schema.ts'

/** One entry of an answer's `errors`. */
export interface InsightsProblem {
  readonly message: string
  readonly locations: readonly { readonly line: number; readonly column: number }[]
  readonly path: readonly (string | number)[] | null
  readonly errorCode: InsightsErrorCode
}

/** Location of a node in a query, in the terms of the documented errors. */
interface Place {
  readonly path: readonly string[]
  readonly argument?: { readonly name: string; readonly type: GraphQLNamedType } | undefined
}

/** Places of all nodes of a query, and of the first use of each variable. */
export interface Places {
  readonly of: ReadonlyMap<ASTNode, Place>
  readonly variables: ReadonlyMap<string, Place>
}

/** Returns the places of a query's nodes and variables. */
export function placesIn(document: DocumentNode): Places {
  const of = new Map<ASTNode, Place>()
  const variables = new Map<string, Place>()
  const typeInfo = new TypeInfo(schema)
  const path: string[] = []
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      enter(node) {
        if (node.kind === Kind.FIELD) path.push(node.alias?.value ?? node.name.value)
        const type = getNamedType(typeInfo.getInputType())
        const name = typeInfo.getArgument()?.name
        const place = { path: [...path], ...(type && name && { argument: { name, type } }) }
        of.set(node, place)
        if (node.kind === Kind.VARIABLE && place.argument && !variables.has(node.name.value))
          variables.set(node.name.value, place)
      },
      leave(node) {
        if (node.kind === Kind.FIELD) path.pop()
      },
    }),
  )
  return { of, variables }
}

/** Validates a query before it is run, and returns its problems in the documented form. */
export function findProblems(document: DocumentNode, places: Places): InsightsProblem[] {
  return passes.flatMap(({ rules, codeOf }) =>
    validate(schema, document, rules, { maxErrors: 20 }).map((error) => {
      const [node] = error.nodes ?? []
      const place = node && places.of.get(node)
      return insightsProblemOf(error, codeOf(place, node), place?.path)
    }),
  )
}

const ofArguments = [KnownArgumentNamesRule, ProvidedRequiredArgumentsRule, ValuesOfCorrectTypeRule]

type CodeOf = (place: Place | undefined, node: ASTNode | undefined) => InsightsErrorCode

/** GraphQL's rules, with the documented error code of a violation. */
const passes: readonly { readonly rules: typeof specifiedRules; readonly codeOf: CodeOf }[] = [
  { rules: specifiedRules.filter((rule) => !(ofArguments as unknown[]).includes(rule)), codeOf: () => 1022 },
  { rules: [KnownArgumentNamesRule], codeOf: () => 1009 },
  { rules: [ProvidedRequiredArgumentsRule], codeOf: (_, node) => (node?.kind === Kind.FIELD ? 1008 : 1013) },
  { rules: [ValuesOfCorrectTypeRule], codeOf: (place, node) => codeOfValue(place, isText(node)) },
]

/**
 * Converts an error of a query's execution into the documented form.
 * @throws Error for a failure that the query did not cause
 */
export function readFailure(
  error: GraphQLError,
  places: Places,
  variables: Readonly<Record<string, unknown>>,
): InsightsProblem {
  const { originalError, nodes: [node] = [] } = error
  if (originalError instanceof InsightsRefusal)
    return { ...insightsProblemOf(error, originalError.code, error.path), message: originalError.message }
  if (originalError && !(originalError instanceof GraphQLError) && error.path) throw originalError
  if (node?.kind === Kind.VARIABLE_DEFINITION) {
    const name = node.variable.name.value
    const place = places.variables.get(name)
    return insightsProblemOf(error, codeOfVariable(place, variables[name]), place?.path)
  }
  const place = node && (places.of.get(node) ?? undefined)
  return insightsProblemOf(error, place?.argument ? codeOfVariable(place, undefined) : 1022, error.path ?? place?.path)
}

function codeOfVariable(place: Place | undefined, given: unknown): InsightsErrorCode {
  if ((given === undefined || given === null) && place?.argument?.name !== 'projectId') return 1013
  return codeOfValue(place, typeof given === 'string' || typeof given === 'number')
}

/** Returns the error code of a value that does not have its argument's type. */
function codeOfValue(place: Place | undefined, isText: boolean): InsightsErrorCode {
  const { name, type } = place?.argument ?? {}
  if (name === 'projectId') return 1008
  if (type?.name === 'Int') return 1006
  if (isEnumType(type)) return 1005
  return type?.name === 'Date' && isText ? 1005 : 1022
}

const texts: readonly string[] = [Kind.STRING, Kind.INT, Kind.FLOAT] satisfies ValueNode['kind'][]
const isText = (node: ASTNode | undefined) => node !== undefined && texts.includes(node.kind)

/** Converts an error of GraphQL into a problem, with GraphQL's message as detail. */
export const insightsProblemOf = (
  { message, locations = [] }: GraphQLError,
  errorCode: InsightsErrorCode,
  path: readonly (string | number)[] | undefined,
): InsightsProblem => ({
  message: refusalMessageOf(errorCode, message),
  locations: locations.map(({ line, column }) => ({ line, column })),
  path: path ?? null,
  errorCode,
})
