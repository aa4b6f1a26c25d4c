import { z } from 'zod'
import { forecastCost } from './cost.ts'

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
    cost: forecastCost,
  })
  .describe('What will happen, and what it costs on AWS.')
