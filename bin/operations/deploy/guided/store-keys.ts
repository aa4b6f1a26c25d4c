import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import type { Outputs } from '../../outputs.ts'
import type { holdsKey } from '../aws.ts'
import { type SettingsDocument, valueAt } from './settings-questions.ts'

export interface StoreKeysOptions {
  readonly settings: SettingsDocument
  /** Outputs of an earlier deployment; empty before the first, which makes the secret of the project. */
  readonly outputs: Outputs
  readonly holds: (secret: string) => ReturnType<typeof holdsKey>
  readonly manager: Pick<SecretsManagerClient, 'send'>
  /** Reads a value that the terminal does not show. */
  readonly readHidden: (prompt: string) => Promise<string>
  readonly report: (line: string) => void
}

/**
 * Stores the keys of the platform that are missing, by hidden input: those of the account, if the settings name its secret, and
 * those of the project, once the stack exists. An empty key skips one.
 * @throws Error of Secrets Manager
 */
export async function storeKeys({
  settings,
  outputs,
  holds,
  manager,
  readHidden,
  report,
}: StoreKeysOptions): Promise<void> {
  const isProjectCreated = (settings.platform as SettingsDocument | undefined)?.project !== undefined
  const secrets = [
    { owner: 'account', id: valueAt(settings, 'platform.accountSecret') },
    { owner: 'project', id: isProjectCreated ? undefined : outputs.ProjectSecretArn },
  ]
  for (const { owner, id } of secrets) {
    if (id === undefined || !['no', 'absent'].includes((await holds(id)) as string)) continue
    const apiKey = (await readHidden(`API key of the platform ${owner}, which is not shown (empty: later): `)).trim()
    if (apiKey === '') continue
    const apiSecret = (await readHidden(`Its secret, which is not shown: `)).trim()
    if (apiSecret === '') throw new Error(`Nothing was stored in ${id}: the secret was empty. Run it again.`)
    await store(manager, id, JSON.stringify({ apiKey, apiSecret }))
    report(`The key of the platform ${owner} is stored.`)
  }
}

async function store(manager: StoreKeysOptions['manager'], id: string, SecretString: string): Promise<void> {
  try {
    await manager.send(new PutSecretValueCommand({ SecretId: id, SecretString }))
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error
    await manager.send(new CreateSecretCommand({ Name: id, SecretString }))
  }
}
