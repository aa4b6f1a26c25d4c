import { CreateSecretCommand, GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { describe, expect, it } from 'vitest'
import { createSecretsManager } from '../../../../../local/cloud/secrets/secrets.ts'
import type { DirectCloud } from '../../../../../local/simulation/environment/direct/direct-call.ts'
import { callDirectly, type SendingClient } from '../../../../../local/simulation/environment/direct/direct-calls.ts'
import { awsClientConfig } from '../../../../../local/simulation/environment/services.ts'

const secrets = createSecretsManager(undefined, () => 'one')
const credentials = { accessKeyId: 'a', secretAccessKey: 'secret' }
const whole = new SecretsManagerClient(awsClientConfig(secrets.fetch, credentials))

/** Opens a client that counts its requests. */
function open() {
  const requests: unknown[] = []
  const client = new SecretsManagerClient(
    awsClientConfig((request) => {
      requests.push(request)
      return secrets.fetch(request)
    }, credentials),
  )
  callDirectly(client as unknown as SendingClient, { secrets } as unknown as DirectCloud, async (_name, read) => {
    const value = await read()
    return value === undefined ? { passed: { fault: undefined } } : { value }
  })
  return { client, requests }
}

describe('callDirectly', () => {
  it.each([{}, { VersionStage: 'AWSCURRENT' }, { VersionId: 'one' }])('reads %j of a secret', async (which) => {
    await whole.send(new CreateSecretCommand({ Name: 'key', SecretString: '{"a":1}', ClientRequestToken: 'one' }))
    const { client, requests } = open()
    const read = async (one: SecretsManagerClient) => {
      const { $metadata, ...answer } = await one.send(new GetSecretValueCommand({ SecretId: 'key', ...which }))
      return answer
    }
    expect(await read(client)).toEqual(await read(whole))
    expect(requests).toEqual([])
  })

  it.each([{ SecretId: 'none' }, { SecretId: 'key', VersionStage: 'AWSPENDING' }])('refuses %j', async (which) => {
    const { client, requests } = open()
    const errorOf = (one: SecretsManagerClient) =>
      one.send(new GetSecretValueCommand(which)).catch(({ name, message }) => [name, message])
    expect(await errorOf(client)).toEqual(await errorOf(whole))
    expect(requests).toEqual([])
  })
})
