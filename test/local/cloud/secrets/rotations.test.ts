import { join } from 'node:path'
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { lambda, temporaryFolder } from '../small-assembly.ts'
import { connectTo, createSmallCloud, refusal, START } from '../small-cloud.ts'

const SecretId = 'upload'
const TOKEN = 'a'.repeat(32)
const DAY_MS = 86_400_000
const secret = { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'upload', SecretString: 'value 0' } }
const schedule = (more: object = {}) => ({
  Type: 'AWS::SecretsManager::RotationSchedule',
  Properties: {
    SecretId: { Ref: 'Upload' },
    RotationLambdaARN: { 'Fn::GetAtt': ['Rotate', 'Arn'] },
    RotationRules: { AutomaticallyAfterDays: 30, Duration: '2h' },
    RotateImmediatelyOnUpdate: false,
    ...more,
  },
})

interface Step {
  Step: string
  SecretId: string
  ClientRequestToken: string
}

let count = 0
/** Counts for all clouds of this file: those of one directory must not generate the same ids. */
const randomHex = (digits: number) => (++count).toString(16).padStart(digits, '0')

/** A secret that a function rotates as AWS's own do, and the steps that it was called for. */
function open({
  rotation = schedule() as object | null,
  directory = '',
  clock = createSteppedClock(START),
  fail = (_step: Step, _count: number): void => {},
} = {}) {
  const steps: Step[] = []
  const lost: string[] = []
  async function rotate(step: Step) {
    steps.push(step)
    fail(step, steps.length)
    const { SecretId, ClientRequestToken: id } = step
    const { VersionIdsToStages = {}, RotationEnabled } = await client.send(new DescribeSecretCommand({ SecretId }))
    if (!RotationEnabled || !VersionIdsToStages[id]?.includes('AWSPENDING')) throw new Error('not staged for rotation')
    const current = Object.keys(VersionIdsToStages).find((one) => VersionIdsToStages[one]?.includes('AWSCURRENT'))
    if (step.Step === 'createSecret') {
      const pending = { SecretId, VersionId: id, VersionStage: 'AWSPENDING' }
      const isMade = await client.send(new GetSecretValueCommand(pending)).then(
        () => true,
        () => false,
      )
      const value = { SecretString: `value at ${steps.length}`, VersionStages: ['AWSPENDING'] }
      if (!isMade) await client.send(new PutSecretValueCommand({ SecretId, ClientRequestToken: id, ...value }))
    }
    if (step.Step === 'finishSecret')
      await client.send(
        new UpdateSecretVersionStageCommand({
          SecretId,
          VersionStage: 'AWSCURRENT',
          MoveToVersionId: id,
          RemoveFromVersionId: current,
        }),
      )
  }
  const resources = { Upload: secret, Rotate: lambda('a'), ...(rotation && { Schedule: rotation }) }
  const { cloud } = createSmallCloud(
    { Resources: resources as { Upload: typeof secret } },
    { Rotate: rotate },
    {
      clock,
      randomHex,
      onLost: (name, { message }) => lost.push(`${name}: ${message}`),
      ...(directory && { directory }),
    },
  )
  const client = connectTo(cloud, clock, SecretsManagerClient)
  return {
    cloud,
    clock,
    client,
    steps,
    lost,
    names: () => steps.map(({ Step }) => Step),
    advance: (ms: number) => clock.advance(ms),
    rotate: (ClientRequestToken = TOKEN) => client.send(new RotateSecretCommand({ SecretId, ClientRequestToken })),
    describe: () => client.send(new DescribeSecretCommand({ SecretId })),
    value: async (VersionStage = 'AWSCURRENT') =>
      (await client.send(new GetSecretValueCommand({ SecretId, VersionStage }))).SecretString,
  }
}

const STEPS = ['createSecret', 'setSecret', 'testSecret', 'finishSecret']

describe('createRotations', () => {
  it('calls the function for each step in order when it is asked to, under one token', async () => {
    const { rotate, cloud, steps, names, value, describe: about, clock } = open()
    expect(await rotate()).toMatchObject({ Name: 'upload', VersionId: TOKEN })
    await cloud.settled()
    expect(names()).toEqual(STEPS)
    const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:upload-laptop'
    expect(steps[0]).toEqual({ Step: 'createSecret', SecretId: arn, ClientRequestToken: TOKEN })
    expect(new Set(steps.map(({ ClientRequestToken }) => ClientRequestToken))).toEqual(new Set([TOKEN]))
    expect([await value(), await value('AWSPREVIOUS')]).toEqual(['value at 1', 'value 0'])
    expect(await about()).toMatchObject({
      RotationEnabled: true,
      RotationLambdaARN: 'arn:aws:lambda:us-east-1:000000000000:function:Rotate',
      RotationRules: { AutomaticallyAfterDays: 30, Duration: '2h' },
      LastRotatedDate: new Date(clock.now()),
      NextRotationDate: new Date('2026-01-31T00:00:00Z'),
      VersionIdsToStages: { [TOKEN]: ['AWSPENDING', 'AWSCURRENT'] },
    })
  })

  it('starts with an empty pending version', async () => {
    const { rotate, client, cloud } = open({
      fail: () => {
        throw new Error('no')
      },
    })
    await rotate()
    const pending = new GetSecretValueCommand({ SecretId, VersionId: TOKEN, VersionStage: 'AWSPENDING' })
    expect(await refusal(client.send(pending))).toBe('ResourceNotFoundException')
    await cloud.close()
  })

  it.each([
    ['days', { AutomaticallyAfterDays: 2 }, ['2026-01-03T00', '2026-01-05T00', '2026-01-07T00']],
    ['a rate of days', { ScheduleExpression: 'rate(3 days)' }, ['2026-01-04T00', '2026-01-07T00']],
    ['a rate of hours', { ScheduleExpression: 'rate(60 hours)' }, ['2026-01-03T12', '2026-01-06T00']],
    ['cron', { ScheduleExpression: 'cron(0 8 ? * MON *)' }, ['2026-01-05T08']],
  ])('rotates by %s', async (_what, RotationRules, expected) => {
    const { advance, names, clock, cloud } = open({ rotation: schedule({ RotationRules }) })
    const times: string[] = []
    for (let hour = 0; hour < 7 * 24; hour++) {
      const before = names().length
      await advance(3_600_000)
      await cloud.settled()
      if (names().length > before) times.push(new Date(clock.now()).toISOString().slice(0, 13))
    }
    expect(times).toEqual(expected)
  })

  it('counts a value that was put by hand as a rotation', async () => {
    const { client, advance, names, cloud } = open()
    await advance(20 * DAY_MS)
    await client.send(new PutSecretValueCommand({ SecretId, SecretString: 'by hand' }))
    await advance(29 * DAY_MS)
    await cloud.settled()
    expect(names()).toEqual([])
    await advance(DAY_MS)
    await cloud.settled()
    expect(names()).toEqual(STEPS)
  })

  it('tries the whole rotation again when a step fails, with the same pending version', async () => {
    const { rotate, advance, names, value, lost } = open({
      fail: ({ Step }, count) => {
        if (Step === 'testSecret' && count < 7) throw new Error('not yet')
      },
    })
    await rotate()
    await advance(59_999)
    expect(names()).toEqual(STEPS.slice(0, 3))
    expect([await value(), await value('AWSPENDING')]).toEqual(['value 0', 'value at 1'])
    await advance(60_000 + 120_000)
    expect(names()).toEqual([...STEPS.slice(0, 3), ...STEPS.slice(0, 3), ...STEPS])
    expect([await value(), lost]).toEqual(['value at 1', []])
  })

  it('gives up after five attempts, leaves the version pending, and resumes it on request', async () => {
    let isBroken = true
    const { rotate, advance, names, value, lost, cloud, steps } = open({
      fail: ({ Step }) => {
        if (isBroken && Step === 'setSecret') throw new Error('refused')
      },
    })
    await rotate()
    await advance(DAY_MS)
    expect(names()).toHaveLength(10)
    expect(lost).toEqual(['upload: refused'])
    expect(await value('AWSPENDING')).toBe('value at 1')
    isBroken = false
    const message = "A previous rotation isn't complete. That rotation will be reattempted."
    await expect(rotate('b'.repeat(32))).rejects.toThrow(message)
    await cloud.settled()
    expect(await value()).toBe('value at 1')
    expect(new Set(steps.map(({ ClientRequestToken }) => ClientRequestToken))).toEqual(new Set([TOKEN]))
  })

  it('does not take a rotation for done that left its version pending', async () => {
    const { client, advance, lost, rotate } = open({ rotation: schedule() })
    client.middlewareStack.add(
      (next) => async (args) => {
        if ('MoveToVersionId' in (args.input as object)) return { response: {}, output: { $metadata: {} } } as never
        return next(args)
      },
      { step: 'initialize' },
    )
    await rotate()
    await advance(DAY_MS)
    expect(lost).toEqual(['upload: AWSPENDING is not attached to the current version after finishSecret.'])
  })

  it('answers the same request twice with one rotation, and refuses one for what is not rotated', async () => {
    const { rotate, cloud, names, client } = open()
    await rotate()
    await cloud.settled()
    expect(await rotate()).toMatchObject({ VersionId: TOKEN })
    expect(names()).toEqual(STEPS)
    const later = new RotateSecretCommand({ SecretId, RotateImmediately: false })
    expect(await refusal(client.send(later))).toBe('InvalidParameterException')
    const rules = new RotateSecretCommand({ SecretId, RotationRules: { AutomaticallyAfterDays: 1 } })
    expect(await refusal(client.send(rules))).toBe('ValidationException')
    const without = open({ rotation: null })
    expect(await refusal(without.rotate())).toBe('InvalidRequestException')
    expect((await without.describe()).RotationEnabled).toBeUndefined()
  })

  it('rotates at once when the schedule is new or changed, unless that is disabled', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const runs: string[][] = []
    const clock = createSteppedClock(START)
    for (const days of [30, 30, 40]) {
      const RotationRules = { AutomaticallyAfterDays: days }
      const rotation = schedule({ RotationRules, RotateImmediatelyOnUpdate: undefined })
      const { cloud, names, advance } = open({ rotation, directory, clock })
      await advance(0)
      await cloud.settled()
      await cloud.close()
      runs.push(names())
    }
    expect(runs).toEqual([STEPS, [], STEPS])
    const { cloud, describe: about } = open({ rotation: null, directory, clock })
    expect((await about()).RotationEnabled).toBeUndefined() // the template no longer says so
    await cloud.close()
  })

  it('resumes pending and overdue rotations after a restart', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const clock = createSteppedClock(START)
    const first = open({
      directory,
      clock,
      fail: ({ Step }) => {
        if (Step === 'setSecret') throw new Error('refused')
      },
    })
    await first.rotate()
    await first.advance(1000)
    await first.cloud.close()
    expect(clock.nextDue()).toBeUndefined()

    const second = open({ directory, clock })
    await second.advance(0)
    await second.cloud.settled()
    expect(await second.value()).toBe('value at 1')
    expect(second.steps.map(({ ClientRequestToken }) => ClientRequestToken)).toEqual(Array(4).fill(TOKEN))
    await second.cloud.close()
    await clock.advance(40 * DAY_MS)
    const third = open({ directory, clock })
    await third.advance(0)
    await third.cloud.settled()
    expect(third.names()).toEqual(STEPS)
    await third.cloud.close()
  })

  it.each([
    ['another secret', { SecretId: 'other' }, 'Schedule: other is not a secret of the stack'],
    ['another function', { RotationLambdaARN: 'arn:aws:lambda:a' }, 'Schedule: arn:aws:lambda:a is not a function'],
    ['no rules', { RotationRules: {} }, 'Schedule: RotationRules need either'],
    ['too many days', { RotationRules: { AutomaticallyAfterDays: 1001 } }, 'after 1 to 1000 whole days'],
    ['too few hours', { RotationRules: { ScheduleExpression: 'rate(3 hours)' } }, 'is not a schedule of a rotation'],
    ['a wrong cron', { RotationRules: { ScheduleExpression: 'cron(0 8)' } }, 'must have six fields'],
    ['a hosted function', { HostedRotationLambda: {} }, 'HostedRotationLambda of Schedule'],
  ])('refuses %s by the schedule’s name', (_what, more, message) => {
    expect(() => open({ rotation: schedule(more) })).toThrow(message)
  })
})
