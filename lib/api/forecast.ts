import { z } from 'zod'

const costItem = z.object({
  item: z.string(),
  amount: z.string().describe('What is counted, with its unit.'),
  usd: z.number().describe('US dollars, by list price.'),
})

/** The forecast of a show, as a dry run answers it. */
export const forecast = z
  .object({
    steps: z.array(z.object({ step: z.string(), details: z.string() })).describe('The steps of the show in order.'),
    nextStart: z.iso.datetime().optional().describe('The next start of a scheduled show.'),
    recordings: z.array(
      z.object({
        name: z.string(),
        seconds: z.number().describe('Its longest length, without pauses.'),
        parts: z.int().describe('The least number of its parts.'),
      }),
    ),
    cost: z
      .object({
        region: z.string().describe('AWS region whose list prices are used.'),
        asOf: z.string().describe('Month of the prices.'),
        usd: z.number().describe('Running and publishing the show, in US dollars.'),
        items: z.array(costItem),
        storage: costItem.describe('Storing its recordings for a month.'),
        viewers: costItem.describe('Sending every recording to one viewer.'),
      })
      .describe('The platform’s own charges are not included.'),
  })
  .describe('What will happen, and what it costs on AWS.')
