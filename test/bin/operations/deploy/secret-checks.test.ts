import { describe, expect, it } from 'vitest'
import { checkSecrets } from '../../../../bin/operations/deploy/secret-checks.ts'
import { readSettings } from '../../../../lib/constructs/deploy/settings.ts'

const settings = (platform: object = {}) =>
  readSettings({
    platform: { url: 'https://platform.showrunner.dev', ...platform },
    identity: { issuer: 'https://login.showrunner.dev' },
  })
type Held = 'yes' | 'no' | 'absent' | { problem: string }
const check = (platform: object, held: Held, outputs = {}) =>
  checkSecrets(settings(platform), { region: 'eu-central-1', outputs, holds: async () => held })

const deployed = { ProjectSecretArn: 'arn:project' }

describe('checkSecrets', () => {
  it.each([
    ['before the first deployment', 'absent', {}, 'later', 'After the deployment: put its key'],
    ['once it is there', 'yes', deployed, 'ok', 'are there'],
    ['as long as it is not', 'no', deployed, 'later', 'No show can run before: aws secretsmanager put-secret-value'],
    ['where it may not be read', { problem: 'AccessDenied' }, deployed, 'unknown', 'was not looked at: AccessDenied'],
  ] as const)('tells of the project’s key %s', async (_, held, outputs, state, words) => {
    expect(await check({}, held, outputs)).toEqual([
      { what: 'platform project', state, words: expect.stringContaining(words) },
    ])
  })

  it.each([
    ['absent', 'missing', 'create-secret --name account'],
    ['no', 'missing', 'put-secret-value --secret-id account'],
    ['yes', 'ok', 'account'],
  ] as const)('wants the account’s key before a deployment makes the project (%s)', async (held, state, words) => {
    const checks = await check({ accountSecret: 'account', project: { name: 'Webinars' } }, held)
    expect(checks).toEqual([
      { what: 'platform account', state, words: expect.stringContaining(words) },
      { what: 'platform project', state: 'ok', words: 'The deployment makes it, as Webinars.' },
    ])
  })
})
