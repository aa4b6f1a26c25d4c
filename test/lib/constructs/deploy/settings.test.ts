import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readSettings, settings } from '../../../../lib/constructs/deploy/settings.ts'
import type { JsonSchema } from '../../../../lib/platform/contract/operations/openapi.ts'
import { ladder } from '../../../../lib/tasks/rendition.ts'

const least = { platform: { url: 'https://platform.example.com' }, identity: { issuer: 'https://issuer.example.com/' } }

/** Where a schema has a setting, such as `logs.days`. */
function* leavesOf({ properties }: JsonSchema, path: readonly string[] = []): Generator<string> {
  if (!properties) yield path.join('.')
  for (const [name, inner] of Object.entries(properties ?? {})) yield* leavesOf(inner as JsonSchema, [...path, name])
}

const descend = (value: unknown, name: string) => (value as Record<string, unknown> | undefined)?.[name]

describe('readSettings', () => {
  it('takes those of cdk.json', () => {
    const { context } = JSON.parse(readFileSync(new URL('../../../../cdk.json', import.meta.url), 'utf8'))
    expect(readSettings(context.showrunner).stage).toBe('dev')
  })

  it('takes those of the example, which leaves none out', () => {
    const { context } = JSON.parse(readFileSync(new URL('../../../../examples/settings.json', import.meta.url), 'utf8'))
    expect(readSettings(context.showrunner)).toEqual(context.showrunner)
    const named = new Set([...leavesOf(z.toJSONSchema(settings, { io: 'input' }))])
    expect(named.size).toBeGreaterThan(20)
    const missing = [...named].filter((path) => !path.split('.').reduce(descend, context.showrunner))
    expect(missing).toEqual(['platform.projectKey']) // which a project that the deployment makes contradicts
  })

  it.each(['url', 'insightsUrl'])('takes plain http as platform.%s on this machine only', (name) => {
    const withUrl = (url: string) => readSettings({ ...least, platform: { ...least.platform, [name]: url } })
    for (const url of ['http://127.0.0.1:4000', 'http://localhost', 'http://[::1]:1', 'https://platform.example.com'])
      expect(withUrl(url).platform).toMatchObject({ [name]: url })
    for (const url of ['http://platform.example.com', 'http://127.0.0.1.example.com', 'http://localhost.example.com'])
      expect(() => withUrl(url)).toThrow(`showrunner.platform.${name}: must be https, unless it is on this machine`)
  })

  it('takes a runbook by a URL to which a heading can be added', () => {
    const withRunbook = (runbookUrl: string) => readSettings({ ...least, alarms: { runbookUrl } })
    expect(withRunbook('https://a.example.com/runbook.md').alarms).toEqual({
      runbookUrl: 'https://a.example.com/runbook.md',
    })
    expect(() => withRunbook('https://a.example.com/runbook.md#shows')).toThrow('must end before the #')
    expect(() => withRunbook('docs/runbook.md')).toThrow('showrunner.alarms.runbookUrl: ')
  })

  it('fills in what is left out', () => {
    expect(readSettings(least)).toEqual({
      stage: 'dev',
      architecture: 'x86_64', // on every machine, so that two that deploy in turn do not change it
      platform: { url: 'https://platform.example.com', insights: 'basic', authHeader: 'X-SERVICE-AUTH' },
      rotation: { uploadKeyDays: 90 },
      logs: { days: 90, level: 'INFO' },
      tracing: true,
      concurrency: 2,
      memory: { most: 3008, tasks: {} },
      alarms: {},
      allowedOrigins: [],
      bucket: { undeleteDays: 7 },
      ladder: ladder.parse(undefined),
      identity: {
        issuer: 'https://issuer.example.com/',
        audience: 'showrunner',
        roleClaim: 'scope',
        viewer: 'showrunner/viewer',
        operator: 'showrunner/operator',
        admin: 'showrunner/admin',
      },
      limits: {
        control: { rate: 500, burst: 1_000 },
        read: { rate: 50, burst: 100 },
        public: { rate: 10, burst: 20 },
        watch: { rate: 200, burst: 400 },
        join: { rate: 50, burst: 200 },
        callbacks: { rate: 200, burst: 1_000 },
        platformCallsPerSecond: 100,
        maxConcurrentPublishes: 10,
      },
      reservedConcurrency: {},
      watch: { cloudFront: false, embedIn: [] },
    })
  })

  it('takes them as the command line gives them', () => {
    expect(readSettings(JSON.stringify({ ...least, stage: 'live' }))).toMatchObject({ stage: 'live' })
    expect(() => readSettings('stage=live')).toThrow(/^The CDK context showrunner is not JSON \(/)
  })

  it.each([
    ['platform.project', { platform: { ...least.platform, project: { name: 'Live' } } }],
    ['rotation.projectSecretDays', { rotation: { projectSecretDays: 30 } }],
  ])('refuses %s without the credentials of the account', (setting, change) => {
    expect(() => readSettings({ ...least, ...change })).toThrow(
      `showrunner.${setting}: needs platform.accountSecret, which is absent`,
    )
    const platform = { ...least.platform, accountSecret: 'platform/account' }
    const { platform: changed = {}, ...others } = change as { platform?: object }
    expect(() => readSettings({ ...least, ...others, platform: { ...platform, ...changed } })).not.toThrow()
  })

  it('accepts the memory that every account allows as the lowest maximum, and no task above it', () => {
    const withMemory = (memory: object) => readSettings({ ...least, memory }).memory
    expect(withMemory({ most: 10_240, tasks: { encodePiece: 10_240 } })).toMatchObject({ most: 10_240 })
    expect(() => withMemory({ most: 2_048 })).toThrow('showrunner.memory.most: must be at least 3008')
    expect(() => withMemory({ tasks: { encodePiece: 4_096 } })).toThrow(
      'showrunner.memory.tasks.encodePiece: is more than memory.most, which is 3008: raise that as well',
    )
    expect(() => withMemory({ tasks: { dance: 512 } })).toThrow('showrunner.memory.tasks')
  })

  it('names every setting that is wrong', () => {
    expect(() =>
      readSettings({ stage: 'Live!', platform: { url: 'ftp://a' }, identity: {}, ffmpegLayer: 'a' }),
    ).toThrow(
      /showrunner\.stage: .*showrunner\.platform\.url: .*showrunner\.identity\.issuer: .*showrunner\.ffmpegLayer: /,
    )
  })

  it('refuses settings it does not know, and none at all', () => {
    expect(() => readSettings({ ...least, colour: 'red' })).toThrow(/showrunner: .*colour/)
    expect(() => readSettings({ ...least, platform: { ...least.platform, colour: 'red' } })).toThrow(
      /showrunner\.platform: .*colour/,
    )
    expect(() => readSettings(undefined)).toThrow(/showrunner\.platform: .*showrunner\.identity: /)
  })
})
