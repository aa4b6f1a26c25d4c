import { z } from 'zod'
import type { InsightsAnswer } from '../../contract/insights/insights.ts'
import type { CallOptions } from '../calls.ts'
import { explain } from '../schema-problems.ts'
import { insightsFailure, insightsSurprise } from './insights-errors.ts'

export type InsightsOptions = Pick<CallOptions, 'signal' | 'timeout' | 'tokenLifetime'>

export type QueryInsights = (
  request: { query: string; variables: Record<string, unknown> },
  options?: CallOptions,
) => Promise<InsightsAnswer>

/** What is asked under `project`, and the GraphQL types of the variables in it. */
export interface Question {
  readonly declare: Readonly<Record<string, string>>
  readonly fields: string
}

/** Asks once and gives what lies under `project`. @throws PlatformError also for errors within the answer */
export type Ask = <Found extends z.ZodType>(
  found: Found,
  question: Question,
  values: Readonly<Record<string, unknown>>,
  options?: InsightsOptions,
) => Promise<z.output<Found>>

export function createAsk(queryInsights: QueryInsights, apiKey: string | undefined): Ask {
  return async (found, { declare, fields }, values, options = {}) => {
    const declared = ['$project: Int!', ...Object.entries(declare).map(([name, type]) => `$${name}: ${type}`)]
    const query = `query (${declared.join(', ')}) { project(projectId: $project) { ${fields} } }`
    const { data, errors } = await queryInsights({ query, variables: { ...values, project: Number(apiKey) } }, options)
    if (errors?.[0]) throw insightsFailure(errors[0])
    const parsed = found.safeParse(data?.project)
    if (parsed.success) return parsed.data
    const { path, message } = explain(parsed.error)
    throw insightsSurprise(`${path || 'project'}: ${message}`)
  }
}

/** What tells of further pages, wherever there is `first`. */
export const PAGE = 'pageInfo { hasNextPage endCursor }'

interface Page<Item> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly resources: readonly Item[]
}

/** Walks over a list page by page; the first page comes after null. */
export async function* eachPage<Item>(
  read: (after: string | null) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let after: string | null = null; ; ) {
    const { pageInfo, resources } = await read(after)
    yield* resources
    if (!pageInfo.hasNextPage) return
    if (pageInfo.endCursor === null || pageInfo.endCursor === after)
      throw insightsSurprise('a further page without a cursor of its own')
    after = pageInfo.endCursor
  }
}

/** Every field of a shape, as a query asks for it. */
export function selectionOf({ shape }: z.ZodObject): string {
  return Object.entries(shape)
    .map(([name, field]) => (field instanceof z.ZodObject ? `${name} { ${selectionOf(field)} }` : name))
    .join(' ')
}
