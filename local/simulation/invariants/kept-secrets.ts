import {
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { signByClock } from '../../cloud/functions/in-process-handler.ts'
import type { Secret } from '../environment/secret-search.ts'
import { awsSettings } from '../environment/services.ts'
import type { World } from '../world.ts'

/** Fields that say whose a secret is, which anybody may know. */
const NAMES: ReadonlySet<string> = new Set(['apiKey', 'accessKeyId'])

/** What the deployment keeps secret or ever did: every version of every secret that a function is told of, labelled or not. */
export async function readKeptSecrets({ cloud, clock }: World): Promise<Secret[]> {
  const client = new SecretsManagerClient(awsSettings(cloud.aws, cloud.credentials))
  signByClock(client, clock)
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

/** A rotation that has just begun has a version without a value. */
const refuseUnlessPending = (labels: readonly string[]) => (error: unknown) => {
  if (labels.includes('AWSPENDING')) return ''
  throw error
}

function secretsIn(text: string, name: string): Secret[] {
  const fields = Object.entries(JSON.parse(text || '{}') as Record<string, unknown>)
  return fields.flatMap(([field, value]) =>
    typeof value === 'string' && !NAMES.has(field) ? [{ name: `${name} ${field}`, value }] : [],
  )
}
