import { isDeepStrictEqual } from 'node:util'
import { RETIRED_AFTER } from '../../deploying/deployment-plan.ts'
import type { StackStep } from '../../deploying/stack.ts'
import type { Evidence } from '../evidence.ts'

/** Access keys that IAM allows a user (IAM quotas). */
const MAX_KEYS = 2
type Rotation = Pick<StackStep, 'before' | 'after' | 'from' | 'to' | 'faults'>

/**
 * Checks that a rotation replaces its secret once, by one that works, and changes nothing else; that the former upload key is
 * retired; that a revocation leaves the new key only; and that Secrets Manager’s test of a rotation succeeds, also before a
 * secret has a value.
 */
export function rotatedCredentials({ stackSteps, trace }: Pick<Evidence, 'stackSteps' | 'trace'>): string[] {
  const replacements = trace.filter(
    ({ call }) => call?.name === 'platform refreshSecret' && call.status < 300 && isRotator(call.caller),
  )
  return stackSteps.flatMap(({ act, ...step }) => {
    if (act.kind === 'test')
      return afterTest(step, act.problem).map((problem) => `the test of the ${act.of} ${problem}`)
    if (act.kind === 'revocation') return act.isDone ? afterRevocation(step) : []
    if (act.kind !== 'rotation') return []
    const { from, to } = step
    const times = replacements.filter(({ at }) => at >= from && at <= to).length
    const problems = act.of === 'upload key' ? afterKey(step) : afterSecret(step, times)
    return problems.map((problem) => `the rotation of the ${act.of} ${problem}`)
  })
}

const isRotator = (caller: string) => /^RotateProjectSecret(\/\d+)?$/.test(caller)

const afterTest = ({ before, after, faults }: Rotation, problem: string): string[] => [
  ...(problem && faults.length === 0 ? [`failed: ${problem}`] : []),
  ...(isDeepStrictEqual(before, after) ? [] : ['changed something']),
]

function afterSecret({ before, after }: Rotation, times: number): string[] {
  const { apiKey, versionId, isAccepted } = after.projectSecret
  const changed = after.projects.filter((one) => !before.projects.some((former) => isDeepStrictEqual(former, one)))
  return [
    ...(apiKey === before.projectSecret.apiKey ? [] : ['changed the key of the project']),
    ...(versionId === before.projectSecret.versionId ? ['did not end'] : []),
    ...(isAccepted ? [] : ['left a secret that the platform refuses']),
    ...(times === 1 ? [] : [`replaced the secret ${times} times`]),
    ...(changed.every(({ id }) => id === apiKey) ? [] : ['changed another project']),
    ...(isDeepStrictEqual(before.accessKeys, after.accessKeys) ? [] : ['changed the upload keys']),
  ]
}

function afterKey(step: Rotation): string[] {
  const { before, after, to, faults } = step
  const { accessKeyId, isAccepted } = after.uploadKey
  const current = after.accessKeys.find((key) => key.accessKeyId === accessKeyId)
  const isRetired = current?.isActive && after.accessKeys.length === 1
  // Another rotation has begun meanwhile, and its former key is not retired yet.
  const isRecent = current?.isActive && current.createdAt > to - RETIRED_AFTER * 1000
  return [
    ...(accessKeyId === before.uploadKey.accessKeyId && !hasNoRoom(step) ? ['did not end'] : []),
    ...(isAccepted ? [] : ['left a key that the bucket refuses']),
    ...(isRetired || isRecent || faults.length > 1 || before.isUploadUnderWay
      ? []
      : [`left the keys ${after.accessKeys.map(shown).join()}`]),
  ]
}

/**
 * Returns true for a rotation that waits: IAM allows two keys, and an archive may be uploaded with the former one. Without an
 * upload under way, an attempt would have deactivated that key.
 */
const hasNoRoom = ({ before, after }: Rotation): boolean =>
  before.isUploadUnderWay &&
  after.isUploadUnderWay &&
  before.accessKeys.length === MAX_KEYS &&
  before.accessKeys.every(({ isActive }) => isActive) &&
  isDeepStrictEqual(before.accessKeys, after.accessKeys)

/** During another rotation, a new key may be in no version yet. */
function afterRevocation({ before, after }: Rotation): string[] {
  if (before.isKeyRotating || after.isKeyRotating) return []
  const { accessKeyId } = after.uploadKey
  const left = after.accessKeys.filter((key) => key.isActive && key.accessKeyId !== accessKeyId)
  return [
    ...(accessKeyId === before.uploadKey.accessKeyId ? ['a revocation did not replace the upload key'] : []),
    ...left.map((key) => `a revocation left the key ${shown(key)}`),
  ]
}

const shown = (key: StackStep['after']['accessKeys'][number]) =>
  `${key.accessKeyId} (${key.isActive ? 'active' : 'inactive'})`
