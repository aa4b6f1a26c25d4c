import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import type { CloudServer } from '../../local/cloud/start.ts'
import type { SandboxServer } from '../../local/sandbox/server.ts'
import { localSettings } from './assembly.ts'
import { awsAccessOf } from './aws-access.ts'

/**
 * What whoever deploys to AWS does once by hand: gives the stack the platform's keys, registers callbacks at the platform, and
 * gets what verifies those of the stack.
 */
export async function exchangeSecrets(server: CloudServer, sandbox: SandboxServer): Promise<string> {
  const manager = new SecretsManagerClient(awsAccessOf(server))
  const { ProjectSecretArn = '', CallbackSecretArn, PlatformCallbacksArn } = server.cloud.outputs
  const { apiKey, apiSecret, accountKey, accountSecret } = sandbox
  const read = async (SecretId: string | undefined) =>
    JSON.parse((await manager.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '')
  try {
    await put(manager, ProjectSecretArn, { apiKey, apiSecret })
    const { accountSecret: name = '' } = localSettings.platform
    await put(manager, name, { apiKey: accountKey, apiSecret: accountSecret })
    const [own, platform] = await Promise.all([read(CallbackSecretArn), read(PlatformCallbacksArn)])
    await registerCallbacks(sandbox, { url: `${server.apiUrl}/callbacks/all`, secret: platform.all })
    return own.secret
  } finally {
    manager.destroy()
  }
}

/** The account's secret is no part of the stack, so the first start makes it. */
async function put(manager: SecretsManagerClient, name: string, value: object): Promise<void> {
  const SecretString = JSON.stringify(value)
  try {
    await manager.send(new PutSecretValueCommand({ SecretId: name, SecretString }))
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error
    await manager.send(new CreateSecretCommand({ Name: name, SecretString }))
  }
}

async function registerCallbacks(
  { url, apiKey, controlToken }: SandboxServer,
  target: { url: string; secret: string },
) {
  const headers = { authorization: `Bearer ${controlToken}` }
  const init = { method: 'PUT', headers, body: JSON.stringify(target) }
  const { ok, status } = await fetch(`${url}/sandbox/projects/${apiKey}/callbacks`, init)
  if (!ok) throw new Error(`The sandbox does not register callbacks (${status}).`)
}
