import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AwsError, createJsonService } from './aws-json.ts'
import { ACCOUNT, REGION } from './intrinsics.ts'

interface Secret {
  readonly arn: string
  readonly name: string
  value: string
  versionId: string
}

/** Secrets Manager: values by id, kept in one file that only its owner can read. */
export interface Secrets {
  fetch(request: Request): Promise<Response>
  /** Makes a secret unless there is one of that name, and returns its ARN. `initial` is only asked for a new one. */
  create(name: string, initial: () => string): string
  /** The value kept under a name, `value` from now on if there is none: for keys that AWS would keep elsewhere. */
  keep(name: string, value: string): string
}

/**
 * @param directory where the file lies; absent: in memory
 * @param newId ids of versions
 */
export function createSecrets(directory: string | undefined, newId: () => string): Secrets {
  const file = directory && join(directory, 'secrets.json')
  const secrets: Secret[] = file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []

  const save = () => {
    if (!file) return
    writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  const find = (id: unknown): Secret => {
    const secret = secrets.find(({ arn, name }) => arn === id || name === id)
    if (!secret) throw new AwsError('ResourceNotFoundException', 'Secrets Manager can’t find the specified secret.')
    return secret
  }
  const ensure = (name: string, initial: () => string): Secret => {
    const known = secrets.find((secret) => secret.name === name)
    if (known) return known
    const arn = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${name}-laptop`
    const made = { arn, name, value: initial(), versionId: newId() }
    secrets.push(made)
    save()
    return made
  }
  const describe = ({ arn, name, versionId }: Secret) => ({ ARN: arn, Name: name, VersionId: versionId })

  return {
    fetch: createJsonService({
      GetSecretValue({ SecretId, VersionStage = 'AWSCURRENT' }) {
        if (VersionStage !== 'AWSCURRENT')
          throw new AwsError('InvalidParameterException', `The stage ${String(VersionStage)} is not known on a laptop.`)
        const secret = find(SecretId)
        return { ...describe(secret), SecretString: secret.value, VersionStages: ['AWSCURRENT'] }
      },
      PutSecretValue({ SecretId, SecretString }) {
        if (typeof SecretString !== 'string')
          throw new AwsError('InvalidParameterException', 'SecretString is missing.')
        const secret = find(SecretId)
        Object.assign(secret, { value: SecretString, versionId: newId() })
        save()
        return { ...describe(secret), VersionStages: ['AWSCURRENT'] }
      },
      DescribeSecret({ SecretId }) {
        const secret = find(SecretId)
        return { ...describe(secret), VersionIdsToStages: { [secret.versionId]: ['AWSCURRENT'] } }
      },
    }),
    create: (name, initial) => ensure(name, initial).arn,
    keep: (name, value) => ensure(name, () => value).value,
  }
}
