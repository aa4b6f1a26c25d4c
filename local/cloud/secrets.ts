import { AwsError, createJsonService, type JsonInput } from './aws-json.ts'
import { ACCOUNT, REGION } from './intrinsics.ts'
import { openPrivateFile } from './private-file.ts'

interface Secret {
  readonly arn: string
  readonly name: string
  value: string
  versionId: string
}

/** Secrets Manager: the current value of each secret, kept in one file that only its owner can read. */
export interface Secrets {
  fetch(request: Request): Promise<Response>
  /** Makes a secret unless there is one of that name, and returns its ARN. `initial` is only asked for a new one. */
  create(name: string, initial: () => string): string
}

const CURRENT = 'AWSCURRENT'
/** Secrets Manager quotas, "size of the encrypted secret value". */
const MOST_BYTES = 65_536

/**
 * @param directory where the file lies; absent: in memory
 * @param newId ids of versions
 */
export function createSecrets(directory: string | undefined, newId: () => string): Secrets {
  const { content: secrets, save } = openPrivateFile<Secret[]>(directory, 'secrets.json', [])

  const find = ({ SecretId: id }: JsonInput): Secret => {
    const secret = secrets.find(({ arn, name }) => arn === id || name === id)
    if (!secret) throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.")
    return secret
  }
  const describe = ({ arn, name, versionId }: Secret) => ({ ARN: arn, Name: name, VersionId: versionId })

  const named = (name: unknown) => secrets.find((secret) => secret.name === name)
  const add = (name: string, value: string, versionId: string): Secret => {
    const secret = { arn: `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${name}-laptop`, name, value, versionId }
    secrets.push(secret)
    save()
    return secret
  }

  return {
    create: (name, initial) => (named(name) ?? add(name, initial(), newId())).arn,
    fetch: createJsonService({
      CreateSecret: {
        takes: ['Name', 'SecretString', 'ClientRequestToken'],
        run({ Name: name, SecretString: value, ClientRequestToken: token }) {
          if (typeof name !== 'string' || !/^[0-9A-Za-z/_+=.@-]{1,512}$/.test(name))
            throw new AwsError('InvalidParameterException', 'Name must be 1 to 512 letters, digits or /_+=.@-.')
          const text = checkValue(value)
          const versionId = String(token ?? newId())
          const known = named(name)
          if (known && (known.versionId !== versionId || known.value !== text))
            throw new AwsError('ResourceExistsException', `The secret ${name} already exists.`)
          return describe(known ?? add(name, text, versionId))
        },
      },
      GetSecretValue: {
        takes: ['SecretId', 'VersionId', 'VersionStage'],
        run(input) {
          const secret = find(input)
          const { VersionId: version = secret.versionId, VersionStage: stage = CURRENT } = input
          // Older versions and other stages do not come about here, so asking for one finds nothing.
          if (version !== secret.versionId) throw noValue('VersionId', version)
          if (stage !== CURRENT) throw noValue('staging label', stage)
          return { ...describe(secret), SecretString: secret.value, VersionStages: [CURRENT] }
        },
      },
      PutSecretValue: {
        takes: ['SecretId', 'SecretString', 'ClientRequestToken'],
        run(input) {
          const secret = find(input)
          const value = checkValue(input.SecretString)
          const versionId = String(input.ClientRequestToken ?? newId())
          if (versionId === secret.versionId && value !== secret.value)
            throw new AwsError('ResourceExistsException', `The version ${versionId} already has another value.`)
          Object.assign(secret, { value, versionId })
          save()
          return { ...describe(secret), VersionStages: [CURRENT] }
        },
      },
      DescribeSecret: {
        takes: ['SecretId'],
        run(input) {
          const secret = find(input)
          return { ARN: secret.arn, Name: secret.name, VersionIdsToStages: { [secret.versionId]: [CURRENT] } }
        },
      },
    }),
  }
}

function checkValue(value: unknown): string {
  if (typeof value === 'string' && value && Buffer.byteLength(value) <= MOST_BYTES) return value
  throw new AwsError('InvalidParameterException', `SecretString must be text of 1 to ${MOST_BYTES} bytes.`)
}

const noValue = (by: string, value: unknown) =>
  new AwsError('ResourceNotFoundException', `Secrets Manager can't find the specified secret value for ${by}: ${value}`)
