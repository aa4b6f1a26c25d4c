import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { describe, expect, it } from 'vitest'
import { type StoreKeysOptions, storeKeys } from '../../../../../bin/operations/deploy/guided/store-keys.ts'
import { createSmallCloud } from '../../../../local/cloud/small-cloud.ts'

const resources = { Project: { Type: 'AWS::SecretsManager::Secret', Properties: { SecretString: '{}' } } }
const Outputs = { ProjectSecretArn: { Value: { Ref: 'Project' } } }

/** Stores keys in a cloud that has the project's secret. Returns the prompts, and reads secrets. */
async function run(typed: readonly string[], options: Partial<StoreKeysOptions> = {}) {
  const { cloud, connect } = createSmallCloud({ Resources: resources, Outputs })
  const manager = connect(SecretsManagerClient)
  const left = [...typed]
  const prompts: string[] = []
  const readHidden = async (prompt: string) => {
    prompts.push(prompt)
    return left.shift() ?? ''
  }
  await storeKeys({
    ...{ settings: {}, outputs: cloud.outputs, manager, readHidden, report: () => {}, holds: async () => 'no' },
    ...options,
  })
  const read = async (SecretId = cloud.outputs.ProjectSecretArn) =>
    JSON.parse((await manager.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '')
  return { prompts, read }
}

const key = { apiKey: '123', apiSecret: 'confidential' }

describe('storeKeys', () => {
  it('stores the key of the project in the secret of the stack', async () => {
    const { read, prompts } = await run(['123', 'confidential'])
    expect(await read()).toEqual(key)
    expect(prompts).toHaveLength(2)
  })

  it('creates the secret of the account that the settings name', async () => {
    const settings = { platform: { accountSecret: 'account', project: { name: 'p' } } }
    const { read, prompts } = await run(['123', 'confidential'], { settings, holds: async () => 'absent' })
    expect(await read('account')).toEqual(key)
    expect(prompts).toHaveLength(2) // the deployment makes the key of the project
  })

  it('asks for nothing before the first deployment, and for no key that is stored', async () => {
    expect((await run([], { outputs: {} })).prompts).toEqual([])
    expect((await run([], { holds: async () => 'yes' })).prompts).toEqual([])
    expect((await run([], { holds: async () => ({ problem: 'denied' }) })).prompts).toEqual([])
  })

  it('skips an empty key, and refuses an empty secret', async () => {
    expect(await (await run([''])).read()).toEqual({})
    await expect(run(['123', ''])).rejects.toThrow('Nothing was stored')
  })
})
