import { z } from 'zod'
import type { InsightsAnswer } from '../../contract/insights/insights.ts'
import type { PlatformCallOptions } from '../calls.ts'
import { describeSchemaError } from '../schema-errors.ts'
import { insightsErrorOf, unexpectedAnswer } from './insights-errors.ts'

export type InsightsOptions = Pick<PlatformCallOptions, 'signal' | 'timeout' | 'tokenLifetime'>

export type QueryInsights = (
  request: { query: string; variables: Record<string, unknown> },
  options?: PlatformCallOptions,
) => Promise<InsightsAnswer>

/** The fields of a query below `project`, and the GraphQL types of its variables. */
export interface ProjectQuery {
  readonly declare: Readonly<Record<string, string>>
  readonly fields: string
}

/** Sends a query and returns the parsed `project`. @throws {@link PlatformError} also for errors within the answer */
export type RunQuery = <Shape extends z.ZodType>(
  shape: Shape,
  query: ProjectQuery,
  values: Readonly<Record<string, unknown>>,
  options?: InsightsOptions,
) => Promise<z.output<Shape>>

/** Creates the function that sends queries about one project. */
export function createQueryRunner(queryInsights: QueryInsights, apiKey: string | undefined): RunQuery {
  return async (shape, { declare, fields }, values, options = {}) => {
    const declared = ['$project: Int!', ...Object.entries(declare).map(([name, type]) => `$${name}: ${type}`)]
    const query = `query (${declared.join(', ')}) { project(projectId: $project) { ${fields} } }`
    const { data, errors } = await queryInsights({ query, variables: { ...values, project: Number(apiKey) } }, options)
    if (errors?.[0]) throw insightsErrorOf(errors[0])
    const parsed = shape.safeParse(data?.project)
    if (parsed.success) return parsed.data
    const { path, message } = describeSchemaError(parsed.error)
    throw unexpectedAnswer(`${path || 'project'}: ${message}`)
  }
}

/** The fields of the next page in every list. */
export const PAGE = 'pageInfo { hasNextPage endCursor }'

interface Page<Item> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly resources: readonly Item[]
}

/** Iterates over a list page by page. The cursor of the first page is null. */
export async function* eachPage<Item>(
  read: (after: string | null) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let after: string | null = null; ; ) {
    const { pageInfo, resources } = await read(after)
    yield* resources
    if (!pageInfo.hasNextPage) return
    if (pageInfo.endCursor === null || pageInfo.endCursor === after)
      throw unexpectedAnswer('a next page without a new cursor')
    after = pageInfo.endCursor
  }
}

/** Returns the GraphQL selection of every field of a schema. */
export function selectionOf({ shape }: z.ZodObject): string {
  return Object.entries(shape)
    .map(([name, field]) => (field instanceof z.ZodObject ? `${name} { ${selectionOf(field)} }` : name))
    .join(' ')
}
