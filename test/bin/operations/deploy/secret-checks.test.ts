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
    ['before the first deployment', 'absent', {}, 'later', 'After the deployment, store its key'],
    ['once it is stored', 'yes', deployed, 'ok', 'are stored'],
    [
      'as long as it is missing',
      'no',
      deployed,
      'later',
      'Shows need its key and secret: aws secretsmanager put-secret-value',
    ],
    ['if reading is refused', { problem: 'AccessDenied' }, deployed, 'unknown', 'was not checked: AccessDenied'],
  ] as const)('reports the key of the project %s', async (_, held, outputs, state, message) => {
    expect(await check({}, held, outputs)).toEqual([
      { what: 'platform project', state, message: expect.stringContaining(message) },
    ])
  })

  it.each([
    ['absent', 'missing', 'create-secret --name account'],
    ['no', 'missing', 'put-secret-value --secret-id account'],
    ['yes', 'ok', 'account'],
  ] as const)(
    'requires the key of the account before a deployment creates the project (%s)',
    async (held, state, message) => {
      const checks = await check({ accountSecret: 'account', project: { name: 'Webinars' } }, held)
      expect(checks).toEqual([
        { what: 'platform account', state, message: expect.stringContaining(message) },
        { what: 'platform project', state: 'ok', message: 'The deployment creates it as Webinars.' },
      ])
    },
  )
})
