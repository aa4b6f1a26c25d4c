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
import { awsAccessOf, disposable } from './aws-access.ts'

/**
 * Stores the platform's keys for the stack and registers callbacks at the sandbox. On AWS, an operator does this once.
 * @returns the secret that verifies callbacks of the stack
 */
export async function exchangeSecrets(server: CloudServer, sandbox: SandboxServer): Promise<string> {
  using manager = disposable(new SecretsManagerClient(awsAccessOf(server)))
  const { ProjectSecretArn = '', CallbackSecretArn, PlatformCallbacksArn } = server.cloud.outputs
  const { apiKey, apiSecret, accountKey, accountSecret } = sandbox
  const read = async (SecretId: string | undefined) =>
    JSON.parse((await manager.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '')
  await put(manager, ProjectSecretArn, { apiKey, apiSecret })
  const { accountSecret: name = '' } = localSettings.platform
  await put(manager, name, { apiKey: accountKey, apiSecret: accountSecret })
  const [own, platform] = await Promise.all([read(CallbackSecretArn), read(PlatformCallbacksArn)])
  await registerCallbacks(sandbox, { url: `${server.apiUrl}/callbacks/all`, secret: platform.all })
  return own.secret
}

/** Stores a secret. That of the account is not a part of the stack, so the first start creates it. */
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
  if (!ok) throw new Error(`The sandbox refused to register callbacks (status ${status}).`)
}
