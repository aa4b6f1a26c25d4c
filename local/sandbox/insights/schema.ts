import { buildSchema, type GraphQLScalarType } from 'graphql'
import { insightsInstant } from '../../../lib/platform/contract/insights/insights.ts'
import { insightsSchema } from '../../../lib/platform/contract/insights/insights-schema.ts'

/** GraphQL schema of the contract. Dates are milliseconds since the epoch internally. */
export const schema = buildSchema(insightsSchema)

Object.assign(schema.getType('Date') as GraphQLScalarType, {
  coerceInputValue: (given: unknown) => {
    const read = insightsInstant.safeParse(given)
    if (!read.success) throw new TypeError('must be ISO-8601, or seconds or milliseconds since the epoch')
    return read.data
  },
  coerceOutputValue: (time: unknown) => new Date(Number(time)).toISOString(),
})
