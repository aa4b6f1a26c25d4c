import { z } from 'zod'
import { readAs } from '../endpoint/aws-json.ts'

/** Names of schedules and of groups (Scheduler API reference, "CreateSchedule"). */
const name = z
  .string()
  .regex(/^[0-9a-zA-Z_.-]{1,64}$/, 'must have 1 to 64 letters, digits, hyphens, underscores or dots')
const arn = z.string().regex(/^arn:/, 'must be an ARN')
/** Time in seconds since the epoch, as the protocol writes it. */
const epochSeconds = z.number().positive()

const target = z.strictObject({
  Arn: arn,
  RoleArn: arn,
  /** Required here: without it AWS delivers a default event, which is not supported. */
  Input: z.string().refine(isJson, 'must be JSON as text'),
  RetryPolicy: z
    .strictObject({
      MaximumEventAgeInSeconds: z.int().min(60).max(86_400).default(86_400),
      MaximumRetryAttempts: z.int().min(0).max(185).default(185),
    })
    .prefault({}),
  DeadLetterConfig: z.strictObject({ Arn: arn }).optional(),
})

const schedule = z.strictObject({
  GroupName: name.default('default'),
  ScheduleExpression: z.string().min(1).max(256),
  ScheduleExpressionTimezone: z.string().min(1).max(50).default('UTC'),
  StartDate: epochSeconds.optional(),
  EndDate: epochSeconds.optional(),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  ActionAfterCompletion: z.enum(['NONE', 'DELETE']).default('NONE'),
  Description: z.string().max(512).optional(),
  Target: target,
  ClientToken: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must have 1 to 64 letters, digits, hyphens or underscores')
    .optional(),
})

/** The definition of a schedule in AWS’s format, with AWS’s defaults. */
export type ScheduleInput = z.infer<typeof schedule>

const listing = z.strictObject({
  ScheduleGroup: name.optional(),
  NamePrefix: name.optional(),
  State: z.enum(['ENABLED', 'DISABLED']).optional(),
  MaxResults: z.coerce.number<string>().pipe(z.int().min(1).max(100)).default(100),
  NextToken: z.string().optional(),
})

export type ListingInput = z.infer<typeof listing>

export const readScheduleInput = (input: unknown): ScheduleInput => readAs(schedule, input)
export const readListing = (query: unknown): ListingInput => readAs(listing, query)
export const readOneQuery = (query: unknown) =>
  readAs(z.strictObject({ groupName: name.default('default'), clientToken: z.string().optional() }), query)
export const readName = (text: unknown): string => readAs(z.strictObject({ Name: name }), { Name: text }).Name

/** Returns true for JSON, in which context attributes may replace numbers. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/<aws\.scheduler\.[a-z-]+>/g, '0'))
    return true
  } catch {
    return false
  }
}
