import { z } from 'zod'

const costItem = z.object({
  item: z.string(),
  amount: z.string().describe('What is counted, with its unit.'),
  usd: z.number().describe('US dollars, by list price.'),
})

const cost = z.object({
  usd: z.number().describe('Running and publishing the show, in US dollars: the sum of the items.'),
  items: z.array(costItem),
  storage: costItem.describe('Storing its recordings for a month.'),
})

const listPrices = {
  region: z.string().describe('AWS region whose list prices are used.'),
  asOf: z.string().describe('Month of the prices.'),
} as const

/** The estimated cost in a forecast. */
export const forecastCost = z
  .object({ ...listPrices, ...cost.shape, viewers: costItem.describe('Sending every recording to one viewer.') })
  .describe('The platform’s own charges are not included.')

const minutes = z.object({
  recordings: z.number().describe('Minutes of all recordings together.'),
  broadcasts: z.number().describe('Minutes of all broadcasts together.'),
})

/** The counted and the estimated cost of a show. */
export const showCost = z
  .object({
    showId: z.string(),
    ...listPrices,
    counted: cost
      .extend({
        minutes: minutes
          .extend({
            participants: z
              .number()
              .optional()
              .describe('Minutes of all participants together. Absent until Insights have reported them.'),
          })
          .describe('On the platform, which charges for them.'),
      })
      .describe('What the show has used so far.'),
    estimated: cost.extend({ minutes }).describe('The estimate of its document; at most, if its end is open.'),
    uncounted: z.array(z.string()).describe('Items of the estimate that are not counted, and only on the bill of AWS.'),
    missingExecutions: z
      .int()
      .describe('Executions that are not counted, because their history is gone: they ended more than 90 days ago.'),
  })
  .meta({ id: 'ShowCost', description: 'What a show has cost on AWS, beside its estimate.' })
