import { type Clock, realClock } from '../../../lib/clock.ts'
import { AwsError, createJsonService, type JsonInput } from '../endpoint/aws-json.ts'
import { openPrivateFile } from '../endpoint/private-file.ts'
import { ACCOUNT, REGION } from '../intrinsics.ts'
import { createRotations, type RotationsOptions } from './rotations.ts'
import { addVersion, CURRENT, moveLabel, type Secret, staged, takeUp, type Version, versionOf } from './versions.ts'

/** Secrets Manager. The versions and labels of all secrets are in one file that only its owner can read. */
export type SecretsManager = ReturnType<typeof createSecretsManager>

export interface SecretsOptions extends Partial<Pick<RotationsOptions, 'invoke' | 'onLost'>> {
  readonly clock?: Clock
}

/** Secrets Manager quotas, "size of the encrypted secret value". */
const MAX_BYTES = 65_536

/**
 * Creates the secrets.
 * @param directory directory of the file. @default in memory
 * @param newId returns ids of versions
 */
export function createSecretsManager(
  directory: string | undefined,
  newId: () => string,
  { clock = realClock, invoke = refuseToRotate, onLost }: SecretsOptions = {},
) {
  const { content: secrets, save } = openPrivateFile<Secret[]>(directory, 'secrets.json', [])
  secrets.forEach(takeUp)
  const rotations = createRotations({ secrets, save, clock, newId, invoke, onLost })

  const find = ({ SecretId: id }: JsonInput): Secret => {
    const secret = secrets.find(({ arn, name }) => arn === id || name === id)
    if (!secret) throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.")
    return secret
  }
  const named = (name: unknown) => secrets.find((secret) => secret.name === name)
  const put = (secret: Secret, id: string, value: string, labels: readonly string[]): Version => {
    const known = versionOf(secret, id)
    if (known?.value !== undefined && known.value !== value)
      throw new AwsError('ResourceExistsException', `The version ${id} already has another value.`)
    if (known?.value === value) return known // a retry: its answer was lost
    const version = known ?? addVersion(secret, { id, created: clock.now() })
    version.value = value
    for (const label of labels) moveLabel(secret, label, version)
    save()
    return version
  }
  const add = (name: string, value: string, versionId: string): Secret => {
    const arn = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${name}-laptop`
    const secret: Secret = { arn, name, created: clock.now(), versions: [] }
    secrets.push(secret)
    put(secret, versionId, value, [CURRENT])
    return secret
  }
  const describe = ({ arn, name }: Secret, version: Version | undefined) => ({
    ARN: arn,
    Name: name,
    VersionId: version?.id,
  })

  const versionIdsToStages = (secret: Secret) => {
    const labelled = secret.versions.filter(({ stages }) => stages.length > 0)
    return Object.fromEntries(labelled.map(({ id, stages }) => [id, stages]))
  }

  const valueIn = (input: JsonInput) => {
    const secret = find(input)
    const { VersionId: id, VersionStage: stage = id === undefined ? CURRENT : undefined } = input
    const version = id === undefined ? staged(secret, String(stage)) : versionOf(secret, id)
    if (version && stage !== undefined && !version.stages.includes(String(stage)))
      throw new AwsError('InvalidRequestException', 'The VersionStage is not attached to that VersionId.')
    if (version?.value === undefined) throw noValue(id === undefined ? 'staging label' : 'VersionId', id ?? stage)
    const { value: SecretString, stages, created } = version
    return { ...describe(secret, version), SecretString, VersionStages: [...stages], CreatedDate: new Date(created) }
  }

  const fetch = createJsonService({
    CreateSecret: {
      takes: ['Name', 'SecretString', 'ClientRequestToken'],
      run({ Name: name, SecretString: value, ClientRequestToken: token }) {
        if (typeof name !== 'string' || !/^[0-9A-Za-z/_+=.@-]{1,512}$/.test(name))
          throw new AwsError('InvalidParameterException', 'Name must be 1 to 512 letters, digits or /_+=.@-.')
        const text = checkValue(value)
        const versionId = String(token ?? newId())
        const known = named(name)
        if (known && versionOf(known, versionId)?.value !== text)
          throw new AwsError('ResourceExistsException', `The secret ${name} already exists.`)
        const secret = known ?? add(name, text, versionId)
        return describe(secret, versionOf(secret, versionId))
      },
    },
    GetSecretValue: {
      takes: ['SecretId', 'VersionId', 'VersionStage'],
      run(input) {
        const { CreatedDate: created, ...value } = valueIn(input)
        return { ...value, CreatedDate: created.getTime() / 1000 }
      },
    },
    PutSecretValue: {
      takes: ['SecretId', 'SecretString', 'ClientRequestToken', 'VersionStages'],
      run(input) {
        const secret = find(input)
        const { ClientRequestToken: token = newId(), VersionStages: labels = [CURRENT] } = input
        const version = put(secret, String(token), checkValue(input.SecretString), checkLabels(labels))
        return { ...describe(secret, version), VersionStages: version.stages }
      },
    },
    UpdateSecretVersionStage: {
      takes: ['SecretId', 'VersionStage', 'MoveToVersionId', 'RemoveFromVersionId'],
      run(input) {
        const secret = find(input)
        const [label = ''] = checkLabels([input.VersionStage])
        const { MoveToVersionId: to, RemoveFromVersionId: from } = input
        const target = versionOf(secret, to)
        if (to !== undefined && !target) throw noValue('VersionId', to)
        const holder = staged(secret, label)
        if (holder && holder !== target && holder.id !== from)
          throw new AwsError('InvalidParameterException', `${label} is attached to another version: say so.`)
        if (!holder && from !== undefined)
          throw new AwsError('InvalidParameterException', `${label} is not attached to the version ${from}.`)
        if (label === CURRENT && !target)
          throw new AwsError('InvalidParameterException', `${CURRENT} can only be moved to another version.`)
        moveLabel(secret, label, target)
        save()
        return { ARN: secret.arn, Name: secret.name }
      },
    },
    ListSecretVersionIds: {
      takes: ['SecretId', 'IncludeDeprecated'],
      run(input) {
        const secret = find(input)
        const listed = secret.versions.filter(({ stages }) => input.IncludeDeprecated === true || stages.length > 0)
        const Versions = listed.map(({ id, stages, created }) => {
          return { VersionId: id, ...(stages.length > 0 && { VersionStages: stages }), CreatedDate: created / 1000 }
        })
        return { ARN: secret.arn, Name: secret.name, Versions }
      },
    },
    DescribeSecret: {
      takes: ['SecretId'],
      run(input) {
        const secret = find(input)
        return {
          ARN: secret.arn,
          Name: secret.name,
          CreatedDate: secret.created / 1000,
          VersionIdsToStages: versionIdsToStages(secret),
          ...rotations.describe(secret),
        }
      },
    },
    RotateSecret: {
      takes: ['SecretId', 'ClientRequestToken', 'RotateImmediately'],
      run({ RotateImmediately: isImmediate = true, ...input }) {
        if (isImmediate !== true)
          throw new AwsError('InvalidParameterException', 'RotateImmediately is only supported as true.')
        const secret = find(input)
        return describe(secret, rotations.rotate(secret, String(input.ClientRequestToken ?? newId())))
      },
    },
  })

  return {
    fetch,
    /** Returns the labels of a secret’s versions as DescribeSecret does, without a request. @throws AwsError for an unknown secret */
    labelsOf(id: string) {
      const secret = find({ SecretId: id })
      return { ARN: secret.arn, Name: secret.name, VersionIdsToStages: versionIdsToStages(secret) }
    },
    /** Returns a version’s value as GetSecretValue does, without a request. @throws AwsError for an unknown secret or version */
    valueIn,
    /** Creates a secret unless it exists, and returns its ARN. `initial` is called for new ones only. */
    create: (name: string, initial: () => string) => (named(name) ?? add(name, initial(), newId())).arn,
    /** Replaces all rotations. Their secrets must exist. */
    startRotations: rotations.start,
    /** Resolves when no secret is being rotated or waits for another attempt. */
    settled: rotations.settled,
    close: rotations.close,
  }
}

function checkValue(value: unknown): string {
  if (typeof value === 'string' && value && Buffer.byteLength(value) <= MAX_BYTES) return value
  throw new AwsError('InvalidParameterException', `SecretString must be text of 1 to ${MAX_BYTES} bytes.`)
}

function checkLabels(labels: unknown): string[] {
  const isLabel = (label: unknown) => typeof label === 'string' && label.length >= 1 && label.length <= 256
  if (Array.isArray(labels) && labels.length > 0 && labels.every(isLabel)) return labels
  throw new AwsError('InvalidParameterException', 'Staging labels must be texts of 1 to 256 characters.')
}

const noValue = (by: string, value: unknown) =>
  new AwsError('ResourceNotFoundException', `Secrets Manager can't find the specified secret value for ${by}: ${value}`)

const refuseToRotate = async () => {
  throw new Error('There are no functions here that could rotate a secret.')
}
