import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readSettings, settings } from '../../../lib/constructs/settings.ts'

const least = { platform: { url: 'https://platform.example.com' }, identity: { issuer: 'https://issuer.example.com/' } }

describe('readSettings', () => {
  it('takes those of cdk.json', () => {
    const { context } = JSON.parse(readFileSync(new URL('../../../cdk.json', import.meta.url), 'utf8'))
    expect(readSettings(context.showrunner).stage).toBe('dev')
  })

  it('takes those of the example, which leaves none out', () => {
    const { context } = JSON.parse(readFileSync(new URL('../../../examples/settings.json', import.meta.url), 'utf8'))
    expect(readSettings(context.showrunner)).toEqual(context.showrunner)
    expect(Object.keys(context.showrunner).sort()).toEqual(Object.keys(settings.shape).sort())
  })

  it('fills in what is left out', () => {
    expect(readSettings(least)).toEqual({
      stage: 'dev',
      architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
      platform: { url: 'https://platform.example.com', insights: 'basic', authHeader: 'X-SERVICE-AUTH' },
      rotation: { uploadKeyDays: 90 },
      logs: { days: 90, level: 'INFO' },
      tracing: true,
      concurrency: 5,
      alarms: {},
      bucket: {},
      identity: {
        issuer: 'https://issuer.example.com/',
        audience: 'showrunner',
        roleClaim: 'scope',
        viewer: 'showrunner/viewer',
        operator: 'showrunner/operator',
      },
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
