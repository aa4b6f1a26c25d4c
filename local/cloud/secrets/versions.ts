import { AwsError } from '../endpoint/aws-json.ts'

/** A secret as it is kept; times are milliseconds since the epoch. */
export interface Secret {
  readonly arn: string
  readonly name: string
  readonly created: number
  readonly versions: Version[]
  rotation?: Rotation | undefined
}

export interface Version {
  readonly id: string
  readonly created: number
  /** Absent as long as a rotation has not put one. */
  value?: string
  stages: string[]
}

/** By what a secret is rotated, and when it was. */
export interface Rotation {
  readonly functionArn: string
  readonly rules: RotationRules
  /** When it was told so. */
  readonly since: number
  lastRotated?: number | undefined
}

/** In CloudFormation's words; exactly one of the first two is given. */
export interface RotationRules {
  readonly AutomaticallyAfterDays?: number
  /** `rate(10 days)`, `rate(12 hours)` or `cron(…)`, in UTC. */
  readonly ScheduleExpression?: string
  /** How long AWS may take until it begins: here it begins at once. */
  readonly Duration?: string
}

export const CURRENT = 'AWSCURRENT'
const PREVIOUS = 'AWSPREVIOUS'
export const PENDING = 'AWSPENDING'

/** Secrets Manager quotas, "Versions per secret" and "Labels attached across all versions of a secret". */
const MAX_VERSIONS = 100
const MAX_LABELS = 20

/** Gives a secret its versions that was kept when there was only the current one. */
export function takeUp(secret: Secret): void {
  if (secret.versions) return
  const { value, versionId: id } = secret as unknown as { value: string; versionId: string }
  Object.assign(secret, { created: 0, versions: [{ id, created: 0, value, stages: [CURRENT] }] })
  for (const name of ['value', 'versionId']) Reflect.deleteProperty(secret, name)
}

/** The version that carries a staging label. */
export const staged = ({ versions }: Secret, label: string): Version | undefined =>
  versions.find(({ stages }) => stages.includes(label))

export const versionOf = ({ versions }: Secret, id: unknown): Version | undefined =>
  versions.find((version) => version.id === id)

/** Whether a rotation has begun that has not come to its end. */
export function isRotating(secret: Secret): boolean {
  const pending = staged(secret, PENDING)
  return pending !== undefined && pending !== staged(secret, CURRENT)
}

/** Adds a version without labels; of those without any, the oldest go when there are too many. */
export function addVersion(secret: Secret, version: Omit<Version, 'stages'>): Version {
  const added = { ...version, stages: [] }
  secret.versions.push(added)
  while (secret.versions.length > MAX_VERSIONS) {
    const index = secret.versions.findIndex((one) => one !== added && one.stages.length === 0)
    if (index < 0) break
    secret.versions.splice(index, 1)
  }
  return added
}

/**
 * Attaches a label to a version, and takes it from the one that had it; without a version it is only taken. When the
 * current version changes, the label of the previous one goes along, as Secrets Manager has it.
 */
export function moveLabel(secret: Secret, label: string, to: Version | undefined): void {
  const from = staged(secret, label)
  if (from === to) return
  if (from) from.stages = from.stages.filter((one) => one !== label)
  to?.stages.push(label)
  if (label === CURRENT && from) moveLabel(secret, PREVIOUS, from)
  if (secret.versions.flatMap(({ stages }) => stages).length > MAX_LABELS)
    throw new AwsError('LimitExceededException', `A secret has at most ${MAX_LABELS} staging labels.`)
}
