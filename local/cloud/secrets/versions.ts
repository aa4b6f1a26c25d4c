import { AwsError } from '../endpoint/aws-json.ts'

/** A stored secret. Times are milliseconds since the epoch. */
export interface Secret {
  readonly arn: string
  readonly name: string
  readonly created: number
  readonly versions: Version[]
  rotation?: ConfiguredRotation | undefined
}

export interface Version {
  readonly id: string
  readonly created: number
  /** Absent until a rotation has put it. */
  value?: string
  stages: string[]
}

/** The rotation of a secret, and its last time. */
export interface ConfiguredRotation {
  readonly functionArn: string
  readonly rules: RotationRules
  /** Time at which the rotation was configured. */
  readonly since: number
  lastRotated?: number | undefined
}

/** Rules in CloudFormation’s format, with exactly one of the first two members. */
export interface RotationRules {
  readonly AutomaticallyAfterDays?: number
  /** `rate(10 days)`, `rate(12 hours)` or `cron(…)`, in UTC. */
  readonly ScheduleExpression?: string
  /** Window within which AWS starts. This cloud starts at its beginning. */
  readonly Duration?: string
}

export const CURRENT = 'AWSCURRENT'
const PREVIOUS = 'AWSPREVIOUS'
export const PENDING = 'AWSPENDING'

/** Secrets Manager quotas, "Versions per secret" and "Labels attached across all versions of a secret". */
const MAX_VERSIONS = 100
const MAX_LABELS = 20

/** Migrates a secret that was stored without versions. */
export function takeUp(secret: Secret): void {
  if (secret.versions) return
  const { value, versionId: id } = secret as unknown as { value: string; versionId: string }
  Object.assign(secret, { created: 0, versions: [{ id, created: 0, value, stages: [CURRENT] }] })
  for (const name of ['value', 'versionId']) Reflect.deleteProperty(secret, name)
}

export const staged = ({ versions }: Secret, label: string): Version | undefined =>
  versions.find(({ stages }) => stages.includes(label))

export const versionOf = ({ versions }: Secret, id: unknown): Version | undefined =>
  versions.find((version) => version.id === id)

export function isRotating(secret: Secret): boolean {
  const pending = staged(secret, PENDING)
  return pending !== undefined && pending !== staged(secret, CURRENT)
}

/** Adds a version without labels. Of too many without labels, the oldest are removed. */
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
 * Moves a label to a version, or removes it. When the current version changes, its former version becomes the previous
 * one, as in Secrets Manager.
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
