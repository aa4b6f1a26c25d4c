import { GetSecretValueCommand, ListSecretVersionIdsCommand } from '@aws-sdk/client-secrets-manager'
import type { SearchedSecret } from '../environment/secret-search.ts'
import { createSecretsClient } from '../environment/secrets-client.ts'
import type { World } from '../world.ts'

/** Fields of a secret that are not secret. */
const NAMES: ReadonlySet<string> = new Set(['apiKey', 'accessKeyId'])

/** Reads every version, labelled or not, of every secret that a function refers to. */
export async function readStoredSecrets({ cloud, clock }: World): Promise<SearchedSecret[]> {
  const client = createSecretsClient({ cloud, clock })
  const variables = cloud.functions.flatMap(({ environment }) => Object.entries(environment))
  const isOfSecret = ([name, value]: [string, string]) =>
    value !== 'none' && (/_SECRET$/.test(name) || value.includes(':secretsmanager:'))
  const ids = new Map(variables.filter(isOfSecret).map(([name, id]) => [id, name]))
  const kept = [...ids].map(async ([SecretId, name]) => {
    const { Versions = [] } = await client.send(new ListSecretVersionIdsCommand({ SecretId, IncludeDeprecated: true }))
    const values = Versions.map(async ({ VersionId, VersionStages: labels = [] }) => {
      const text = await client
        .send(new GetSecretValueCommand({ SecretId, VersionId }))
        .then(({ SecretString }) => SecretString ?? '', refuseUnlessPending(labels))
      return secretsIn(text, labels.includes('AWSCURRENT') ? name : `${name} of another version`)
    })
    return (await Promise.all(values)).flat()
  })
  return (await Promise.all(kept)).flat()
}

/** Ignores a pending version without a value: its rotation has just begun. */
const refuseUnlessPending = (labels: readonly string[]) => (error: unknown) => {
  if (labels.includes('AWSPENDING')) return ''
  throw error
}

function secretsIn(text: string, name: string): SearchedSecret[] {
  const fields = Object.entries(JSON.parse(text || '{}') as Record<string, unknown>)
  return fields.flatMap(([field, value]) =>
    typeof value === 'string' && !NAMES.has(field) ? [{ name: `${name} ${field}`, value }] : [],
  )
}
