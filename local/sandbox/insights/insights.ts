import { type DocumentNode, executeSync, GraphQLError, parse } from 'graphql'
import type { InsightsAnswer, insightsOperations } from '../../../lib/platform/contract/insights/insights.ts'
import type { Handlers } from '../handler.ts'
import { InsightsRefusal } from '../http/insights-refusal.ts'
import type { Store } from '../state/store.ts'
import { bounds, checkExtent, createBudget } from './bounds.ts'
import { findProblems, type InsightsProblem, insightsProblemOf, placesIn, readFailure } from './problems.ts'
import { createRoot } from './root.ts'
import { schema } from './schema.ts'
import type { View } from './view.ts'

export interface Query {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
  readonly operationName?: string | null | undefined
}

/**
 * Answers a query with data, or with its problems in the documented form.
 * @throws Error for a failure that the query did not cause
 */
function answerQuery(asked: Query, view: Omit<View, 'spend'>): InsightsAnswer {
  const document = read(asked.query)
  if (!('kind' in document)) return { errors: [document] }
  const places = placesIn(document)
  const problems = [...findProblems(document, places)]
  if (problems.length === 0) problems.push(...tooLarge(document))
  if (problems.length > 0) return { errors: problems.map(show) }

  const variables = asked.variables ?? {}
  const { data, errors } = executeSync({
    schema,
    document,
    rootValue: createRoot({ ...view, spend: createBudget('objects') }),
    variableValues: variables,
    operationName: asked.operationName,
  })
  return {
    ...(data !== undefined && { data }),
    ...(errors && { errors: errors.map((error) => show(readFailure(error, places, variables))) }),
  }
}

function read(query: string): DocumentNode | ReturnType<typeof show> {
  try {
    return parse(query, { maxLexicalTokens: bounds.tokens })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return show(insightsProblemOf(error, 1022, undefined))
  }
}

function tooLarge(document: DocumentNode): InsightsProblem[] {
  try {
    checkExtent(document)
    return []
  } catch (error) {
    if (!(error instanceof InsightsRefusal)) throw error
    return [{ message: error.message, locations: [], path: null, errorCode: error.code }]
  }
}

/** Copies the lists, which are mutable in the contract's type. */
const show = ({ message, locations, path, errorCode }: InsightsProblem) => ({
  message,
  locations: [...locations],
  path: path && [...path],
  errorCode,
})

/** @param hasAddOn the projects have the add-on with sessions and their quality */
export const insightsHandlers = (
  store: Store,
  now: () => number,
  hasAddOn: boolean,
): Handlers<keyof typeof insightsOperations> => ({
  queryInsights: ({ body }, { project }) => answerQuery(body, { store, now: now(), project, hasAddOn }),
})
