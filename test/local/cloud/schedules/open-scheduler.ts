import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { lambda } from '../small-assembly.ts'
import { connectTo, createSmallCloud } from '../small-cloud.ts'

const ROLE = 'arn:aws:iam::0:role/a'
const GROUP = { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'shows' } }
const resources = { StartShow: lambda('a'), Group: GROUP }
export const TARGET = 'arn:aws:lambda:us-east-1:000000000000:function:StartShow'
export const DAY_MS = 86_400_000

/** The target of a schedule, to which it passes its scheduled time. */
export const targetOf = (more: object = {}) => ({
  ...{ Arn: TARGET, RoleArn: ROLE, Input: '{"at":"<aws.scheduler.scheduled-time>"}' },
  ...more,
})

export const schedule = (more: Partial<CreateScheduleCommandInput> = {}): CreateScheduleCommandInput => ({
  Name: 'webinar',
  GroupName: 'shows',
  ScheduleExpression: 'at(2026-01-01T10:00:00)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: targetOf(),
  ...more,
})

/** Opens a cloud under a stepped clock, whose stack has a group of schedules and a function that records its invocations. */
export function openScheduler({
  at = '2026-01-01T00:00:00Z',
  clock = createSteppedClock(Date.parse(at)),
  directory = '',
  template = resources as object,
} = {}) {
  const ran: { at: string; on: string }[] = []
  const { cloud } = createSmallCloud(
    { Resources: template as typeof resources },
    { StartShow: (event: { at: string }) => ran.push({ ...event, on: new Date(clock.now()).toISOString() }) },
    { clock, ...(directory && { directory }) },
  )
  const client = connectTo(cloud, clock, SchedulerClient)
  const advance = async (ms: number) => {
    await clock.advance(ms)
    await cloud.settled()
  }
  return {
    cloud,
    clock,
    client,
    /** Invocations so far: their scheduled times, and when they ran. */
    ran,
    /** Returns the scheduled times of the invocations so far. */
    times: () => ran.map((event) => event.at),
    create: (more?: Partial<CreateScheduleCommandInput>) => client.send(new CreateScheduleCommand(schedule(more))),
    update: (more?: Partial<CreateScheduleCommandInput>) => client.send(new UpdateScheduleCommand(schedule(more))),
    get: (Name = 'webinar') => client.send(new GetScheduleCommand({ Name, GroupName: 'shows' })),
    remove: (Name = 'webinar') => client.send(new DeleteScheduleCommand({ Name, GroupName: 'shows' })),
    /** Returns the names of the schedules that match. */
    list: async (filter: object = {}) =>
      (await client.send(new ListSchedulesCommand(filter))).Schedules?.map(({ Name }) => Name),
    advance,
    advanceTo: (time: string) => advance(Date.parse(time) - clock.now()),
  }
}
