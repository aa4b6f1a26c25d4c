import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager'
import { createSecretsClient } from '../environment/secrets-client.ts'
import type { World } from '../world.ts'
import { documentSecret } from './cases/secrets.ts'
import { documentCases } from './cases.ts'
import { documentOf } from './document-case.ts'

/** The path of a dry run, which checks a document and has no effect. */
export const DRY_RUN = '/shows?dryRun=true'

/** Begins the keys of dry runs. The description of the case follows. */
export const KEY_OF_CASE = 'dry run: '

/** Milliseconds between requests, so that their faults can be distinguished. */
const PAUSE = 1_000

/**
 * Asks the API about documents, each once. It is done after the show, so that every seed runs its show as it does without
 * these requests.
 * @param descriptions those of the cases
 */
export async function askDocuments(
  { callApi, clock, cloud, observer }: Pick<World, 'callApi' | 'clock' | 'cloud' | 'observer'>,
  descriptions: readonly string[],
): Promise<void> {
  if (descriptions.length === 0) return
  const client = createSecretsClient({ cloud, clock })
  const Name = `${observer.variable('SHOW_SECRETS')}documents`
  const secret = { Name, SecretString: JSON.stringify(documentSecret), ClientRequestToken: observer.newId() }
  await client.send(new CreateSecretCommand(secret))
  for (const one of documentCases.filter(({ what }) => descriptions.includes(what))) {
    await clock.sleep(PAUSE)
    const request = { method: 'POST', path: DRY_RUN, key: `${KEY_OF_CASE}${one.what}`, role: one.role }
    await callApi({ ...request, body: documentOf(one, clock.now()) }).catch(() => {}) // a lost answer is noted
  }
}
