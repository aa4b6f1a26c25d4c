import { AwsError, createRestService, validation } from '../endpoint/aws-json.ts'
import { readListing, readName, readOneQuery, readScheduleInput } from './schedule-input.ts'
import { type Schedule, type Scheduler, scheduleArn } from './scheduler.ts'

/** Creates the handler of the Scheduler’s REST protocol. The signature is checked before. */
export function createSchedulerEndpoint(scheduler: Scheduler): (request: Request) => Promise<Response> {
  const one: Readonly<Record<string, (name: string, query: unknown, request: Request) => Promise<object>>> = {
    async POST(name, query, request) {
      return { ScheduleArn: scheduleArn(scheduler.create(name, readScheduleInput(await body(query, request)))) }
    },
    async PUT(name, query, request) {
      return { ScheduleArn: scheduleArn(scheduler.update(name, readScheduleInput(await body(query, request)))) }
    },
    async GET(name, query) {
      return describe(scheduler.get(readOneQuery(query).groupName, name))
    },
    async DELETE(name, query) {
      scheduler.delete(readOneQuery(query).groupName, name)
      return {}
    },
  }
  const answer = async (request: Request): Promise<object> => {
    const { pathname, searchParams } = new URL(request.url)
    const query = Object.fromEntries(searchParams)
    const [, collection, name, ...more] = pathname.split('/').map(decodeURIComponent)
    const operation = Object.hasOwn(one, request.method) ? one[request.method] : undefined
    if (collection === 'schedules' && more.length === 0) {
      if (name !== undefined && operation) return operation(readName(name), query, request)
      if (name === undefined && request.method === 'GET') return list(scheduler, query)
    }
    throw new AwsError('UnknownOperationException', `${request.method} ${pathname} is not supported locally.`, 404)
  }
  return createRestService(async (request) => Response.json(await answer(request)))
}

/** Reads the body of an operation that takes all members but the name from it. */
async function body(query: unknown, request: Request): Promise<unknown> {
  const [unknown] = Object.keys(query as object)
  if (unknown !== undefined) throw validation(`${unknown} is not supported locally.`)
  return request.json().catch(() => {
    throw new AwsError('SerializationException', 'The request body is not JSON.')
  })
}

function list(scheduler: Scheduler, query: unknown): object {
  const { NextToken: token, ...listing } = readListing(query)
  const last = token === undefined ? {} : { NextToken: Buffer.from(token, 'base64url').toString() }
  const { schedules, nextToken } = scheduler.list({ ...listing, ...last })
  return {
    Schedules: schedules.map((schedule) => {
      const { Arn, GroupName, Name, State, CreationDate, LastModificationDate, Target } = describe(schedule)
      return { Arn, GroupName, Name, State, CreationDate, LastModificationDate, Target: { Arn: Target.Arn } }
    }),
    ...(nextToken !== undefined && { NextToken: Buffer.from(nextToken).toString('base64url') }),
  }
}

/** Returns the answer of GetSchedule, with dates in seconds since the epoch. */
function describe(schedule: Schedule) {
  const { ClientToken: _, ...input } = schedule.input
  return {
    Arn: scheduleArn(schedule),
    Name: schedule.name,
    CreationDate: schedule.created / 1000,
    LastModificationDate: schedule.modified / 1000,
    ...input,
  }
}
