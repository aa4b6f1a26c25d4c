import { isDeepStrictEqual } from 'node:util'
import type { Clock, Timer } from '../../../lib/clock.ts'
import { AwsError } from '../endpoint/aws-json.ts'
import { readRotationRules } from './rotation-rules.ts'
import {
  addVersion,
  CURRENT,
  isRotating,
  moveLabel,
  PENDING,
  type RotationRules,
  type Secret,
  staged,
  type Version,
  versionOf,
} from './versions.ts'

export interface RotationSpec {
  readonly secretArn: string
  readonly functionArn: string
  readonly rules: RotationRules
  readonly rotatesOnChange: boolean
}

export interface RotationsOptions {
  readonly secrets: readonly Secret[]
  readonly save: () => void
  readonly clock: Clock
  readonly newId: () => string
  /** Invokes a function and awaits it. */
  readonly invoke: (arn: string, event: unknown) => Promise<unknown>
  /** Called with a rotation that failed in all attempts. */
  readonly onLost?: ((secretName: string, error: Error) => void) | undefined
}

/** Starts rotations on schedule, and calls their functions step by step. */
export type Rotations = ReturnType<typeof createRotations>

/** Secrets Manager user guide, "Rotation by Lambda function". */
const STEPS = ['createSecret', 'setSecret', 'testSecret', 'finishSecret']
/** Delays after failed attempts. A failed step repeats the whole rotation; AWS documents neither number nor delays. */
const RETRY_AFTER_MS = [60_000, 120_000, 240_000, 480_000]

export function createRotations({ secrets, save, clock, newId, invoke, onLost }: RotationsOptions) {
  const running = new Map<Secret, Promise<void>>()
  const waiting = new Map<Secret, Timer>()
  const closing = new AbortController()

  const perform = async (secret: Secret, versionId: string) => {
    for (const Step of STEPS) {
      const { functionArn = '' } = secret.rotation ?? {}
      await invoke(functionArn, { Step, SecretId: secret.arn, ClientRequestToken: versionId })
      closing.signal.throwIfAborted()
    }
    if (isRotating(secret)) throw new Error(`${PENDING} is not attached to the current version after finishSecret.`)
  }
  const attempt = async (secret: Secret, versionId: string) => {
    for (const delay of [...RETRY_AFTER_MS, undefined]) {
      try {
        await perform(secret, versionId)
        if (secret.rotation) secret.rotation.lastRotated = clock.now()
        return save()
      } catch (error) {
        if (closing.signal.aborted) return
        if (delay === undefined) onLost?.(secret.name, error as Error)
        else await clock.sleep(delay, closing.signal).catch(() => {}) // closed during the wait
        if (closing.signal.aborted) return
      }
    }
  }
  const run = (secret: Secret, versionId: string) => {
    if (running.has(secret)) return
    waiting.get(secret)?.cancel()
    const attempts = attempt(secret, versionId).finally(() => {
      running.delete(secret)
      if (!closing.signal.aborted) wait(secret, clock.now())
    })
    running.set(secret, attempts)
  }
  /** Resumes a pending rotation, or starts one with a version that has no value yet. */
  const begin = (secret: Secret, versionId: string): Version => {
    const underWay = isRotating(secret) ? staged(secret, PENDING) : undefined
    const version = underWay ?? addVersion(secret, { id: versionId, created: clock.now() })
    if (!underWay) moveLabel(secret, PENDING, version)
    save()
    run(secret, version.id)
    return version
  }
  /** Schedules the next rotation after `earliest`. */
  const wait = (secret: Secret, earliest = 0) => {
    const due = nextRotation(secret, earliest)
    if (due === undefined) return
    const timer = clock.at(due, () => {
      const isStillDue = (nextRotation(secret, earliest) ?? due) <= due // unless its value was changed by hand meanwhile
      if (isStillDue) begin(secret, newId())
      else wait(secret)
    })
    waiting.set(secret, timer)
  }
  const configure = (secret: Secret, { functionArn, rules, rotatesOnChange }: RotationSpec) => {
    const { rotation: former } = secret
    const isChanged = !isDeepStrictEqual([former?.functionArn, former?.rules], [functionArn, rules])
    if (isChanged) secret.rotation = { functionArn, rules, since: clock.now(), lastRotated: former?.lastRotated }
    const isDue = isRotating(secret) || (isChanged && rotatesOnChange)
    // Not in this turn: the caller serves functions only after it has the cloud.
    if (isDue)
      waiting.set(
        secret,
        clock.at(clock.now(), () => begin(secret, newId())),
      )
    else wait(secret)
  }

  return {
    /** Sets the rotations, resumes pending ones, and schedules the next ones. */
    start(specs: readonly RotationSpec[]): void {
      const byArn = new Map(specs.map((spec) => [spec.secretArn, spec]))
      for (const secret of secrets) {
        const spec = byArn.get(secret.arn)
        if (spec) configure(secret, spec)
        else secret.rotation = undefined // the template no longer has it
      }
      save()
    },
    /** Starts a rotation and returns its pending version. @throws AwsError when none is configured, or one is pending */
    rotate(secret: Secret, versionId: string): Version {
      if (!secret.rotation)
        throw new AwsError('InvalidRequestException', 'No Lambda rotation function ARN is associated with this secret.')
      const known = versionOf(secret, versionId)
      if (known) return known // a retry: its answer was lost
      const isUnderWay = isRotating(secret)
      const version = begin(secret, versionId)
      if (!isUnderWay) return version
      const message = "A previous rotation isn't complete. That rotation will be reattempted."
      throw new AwsError('InvalidRequestException', message)
    },
    /** Describes a secret’s rotation as DescribeSecret does. */
    describe(secret: Secret): object {
      const { rotation } = secret
      if (!rotation) return {}
      const { functionArn, rules, lastRotated } = rotation
      return {
        RotationEnabled: true,
        RotationLambdaARN: functionArn,
        RotationRules: rules,
        ...(lastRotated !== undefined && { LastRotatedDate: lastRotated / 1000 }),
        NextRotationDate: (nextRotation(secret) ?? 0) / 1000,
      }
    },
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values())
    },
    close(): void {
      closing.abort(new Error('The cloud is shutting down.'))
      for (const timer of waiting.values()) timer.cancel()
    },
  }
}

/** Returns the next rotation of a secret; undefined for never. A value that was put by hand counts as a rotation. */
function nextRotation(secret: Secret, earliest = 0): number | undefined {
  const { rotation } = secret
  if (!rotation) return undefined
  const { since, lastRotated = 0, rules } = rotation
  return readRotationRules(rules).after(Math.max(since, lastRotated, staged(secret, CURRENT)?.created ?? 0, earliest))
}
