import { readdirSync } from 'node:fs'
import { App } from 'aws-cdk-lib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../../../../lib/constructs/deploy/settings.ts'
import { ShowrunnerStack } from '../../../../lib/showrunner-stack.ts'
import { secretsInFolder } from '../../../support/secrecy/secrets-in-folder.ts'

/** What whoever deploys has in their environment while the assembly is made. */
const deployers = {
  AWS_SECRET_ACCESS_KEY: 'a secret of whoever deploys',
  AWS_SESSION_TOKEN: 'a token of whoever deploys',
}

const project = { accountSecret: 'platform/account', project: { name: 'Live', status: 'SUSPENDED' } }
const rotation = { uploadKeyDays: 30, projectSecretDays: 7 }

describe('Credentials', () => {
  beforeEach(() => {
    for (const [name, value] of Object.entries(deployers)) vi.stubEnv(name, value)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it.each([
    ['the least settings', {}, {}],
    ['a project of its own and rotation', project, { rotation }],
  ])('write no secret into the assembly with %s, nor anything that looks like one', (_, platform, others) => {
    const settings = readSettings({
      ...{ identity: { issuer: 'https://issuer.example.com/' }, ...others },
      platform: { url: 'https://platform.example.com', ...platform },
    })
    const app = new App()
    new ShowrunnerStack(app, 'Showrunner', settings)
    const { directory } = app.synth()
    const secrets = Object.entries(deployers).map(([name, value]) => ({ name, value }))
    expect(readdirSync(directory).filter((name) => name.startsWith('asset.')).length).toBeGreaterThan(20)
    expect(secretsInFolder(directory, secrets)).toEqual([])
  })
})
