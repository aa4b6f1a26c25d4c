import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { App, Stack } from 'aws-cdk-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../bin/local/assembly.ts'
import { createSteppedClock } from '../../../lib/clock.ts'
import type { StackResources } from '../../../lib/constructs/access/grants.ts'
import { readSettings } from '../../../lib/constructs/deploy/settings.ts'
import { ShowSchedules } from '../../../lib/constructs/show-schedules.ts'
import { ShowrunnerFunction } from '../../../lib/constructs/showrunner-function.ts'
import { createServices } from '../../../lib/services.ts'
import { type Assembly, readAssembly } from '../../../local/cloud/assembly.ts'
import { createCloud } from '../../../local/cloud/cloud.ts'
import { createInProcessHandler, signByClock } from '../../../local/cloud/functions/in-process-handler.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'show-schedules-test-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const settings = (level: 'INFO' | 'WARN') =>
  readSettings({
    platform: { url: 'https://platform.example.com' },
    identity: { issuer: 'https://issuer.example.com/' },
    logs: { level },
  })

/** Schedules, what they call, with this code, and a function that makes them. */
function synthesize(code: string, level: 'INFO' | 'WARN'): Assembly {
  const folder = join(directory, code)
  mkdirSync(join(folder, 'bundle'), { recursive: true })
  writeFileSync(join(folder, 'bundle', 'index.mjs'), code)
  const app = new App({ outdir: join(folder, 'assembly') })
  const stack = new Stack(app, 'Small')
  const schedules = new ShowSchedules(stack, 'Schedules', { groupName: 'showrunner-live' })
  const environment = {
    SCHEDULE_GROUP: schedules.groupName,
    SCHEDULE_ROLE: schedules.role.roleArn,
    SCHEDULE_TARGET: schedules.targetArn,
    SCHEDULE_DEAD_LETTERS: schedules.deadLettersArn,
  }
  const resources = { schedules, environment } as unknown as StackResources
  const common = { code: join(folder, 'bundle'), timeout: 20, settings: settings(level), resources }
  schedules.call(new ShowrunnerFunction(stack, 'StartShow', { ...common, description: 'Starts.', capabilities: [] }))
  new ShowrunnerFunction(stack, 'Api', { ...common, description: 'Plans.', capabilities: ['schedules'] })
  app.synth()
  return readAssembly(app.outdir)
}

describe('ShowSchedules', () => {
  it('keeps what was scheduled through a deployment, and then calls the code that is new', async () => {
    const clock = createSteppedClock(Date.parse('2026-11-20T09:00:00Z'))
    const called: { code: string; event: unknown }[] = []
    let ids = 0
    const cloud = createCloud({
      assembly: synthesize('former', 'INFO'),
      ...{ parameters: {}, apiUrl: 'http://api.invalid', clock, random: () => 0.5 },
      randomHex: (digits) => (++ids).toString(16).padStart(digits, '0'),
      invoke: async ({ folder }, event) => {
        called.push({ code: readFileSync(join(folder, 'index.mjs'), 'utf8'), event })
      },
    })
    const environment = cloud.functions.find(({ logicalId }) => logicalId.startsWith('Api'))?.environment ?? {}
    const { schedules } = createServices(environment, {
      ...{ clock, random: () => 0.5, fetch },
      aws: {
        ...{ endpoint: 'http://127.0.0.1', region: 'us-east-1', credentials: cloud.credentials },
        requestHandler: createInProcessHandler(cloud.aws) as NonNullable<S3ClientConfig['requestHandler']>,
      },
      prepare: (client) => signByClock(client, clock),
    })
    await schedules.create('at-ten', { start: { at: '2026-11-20T10:00', zone: 'UTC' }, audienceWait: 1 })
    await schedules.create('each-day', { start: { cron: '30 9 * * ? *', zone: 'UTC' }, audienceWait: 900 })
    const ten = { scheduleId: 'at-ten', scheduledAt: '2026-11-20T10:00:00Z' }
    const halfPast = (day: number) => ({ scheduleId: 'each-day', scheduledAt: `2026-11-${day}T09:30:00Z` })

    await clock.advance(45 * 60_000)
    expect(called).toEqual([{ code: 'former', event: halfPast(20) }])
    cloud.deploy(synthesize('latter', 'WARN'))
    expect(await schedules.exists('at-ten')).toBe(true)
    await clock.advance(24 * 3_600_000)
    expect(called.slice(1)).toEqual([
      { code: 'latter', event: ten },
      { code: 'latter', event: halfPast(21) },
    ])
    await cloud.close()
  })

  it('has schedules name what no deployment replaces: no version, and resources whose ids stay', async () => {
    const { template } = await synthesizeTemplate()
    const [api] = Object.entries(template.Resources).filter(([id]) => /^Api[0-9A-F]{8}$/.test(id))
    // CloudFormation takes another id for another resource, and existing schedules hold what is named here.
    expect(api?.[1].Properties).toMatchObject({
      Environment: {
        Variables: {
          SCHEDULE_GROUP: { Ref: 'SchedulesGroupC7F67308' },
          SCHEDULE_ROLE: { 'Fn::GetAtt': ['SchedulesRole523D57EE', 'Arn'] },
          SCHEDULE_TARGET: { 'Fn::GetAtt': ['StartShow2B16AA61', 'Arn'] },
          SCHEDULE_DEAD_LETTERS: { 'Fn::GetAtt': ['StartShowDeadLettersA3303D36', 'Arn'] },
        },
      },
    })
    const typeOf = (id: string) => template.Resources[id]?.Type
    expect(typeOf('SchedulesGroupC7F67308')).toBe('AWS::Scheduler::ScheduleGroup')
    expect(typeOf('SchedulesRole523D57EE')).toBe('AWS::IAM::Role')
    expect(typeOf('StartShow2B16AA61')).toBe('AWS::Lambda::Function') // and neither a version nor an alias
    expect(typeOf('StartShowDeadLettersA3303D36')).toBe('AWS::SQS::Queue')
  })
})
