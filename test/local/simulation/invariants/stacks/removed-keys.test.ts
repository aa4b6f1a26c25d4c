import { describe, expect, it } from 'vitest'
import type { StackState } from '../../../../../local/simulation/deploying/stack-state.ts'
import { removedKeys } from '../../../../../local/simulation/invariants/stacks/removed-keys.ts'
import { before, failure, step, success } from './made-up-steps.ts'

const removal = { resource: 'UploadKeys', type: 'Delete', physicalId: 'upload-keys' } as const
const answer = success('upload-keys')
const withoutPolicy = { ...before, hasPolicy: false }
const withoutKeys = { ...withoutPolicy, accessKeys: [] }
const found = (...given: Parameters<typeof step>) =>
  removedKeys({ stackSteps: [step(...given)], trace: [], removalTrace: [] })
const states = (former: StackState, after: StackState) => ({ before: former, after })

describe('removedKeys', () => {
  it('accepts a removal that leaves no key, and one that fails', () => {
    expect(found(removal, answer, states(withoutPolicy, withoutKeys))).toEqual([])
    expect(found(removal, failure('upload-keys'), states(withoutPolicy, withoutPolicy))).toEqual([])
  })

  it('finds a key that is left', () => {
    expect(found(removal, answer, states(withoutPolicy, withoutPolicy))).toEqual([
      'Delete of UploadKeys upload-keys left 1 upload keys',
    ])
  })

  it.each(['Create', 'Update', 'Delete'] as const)(
    'finds that a %s changes keys before the policy is deleted',
    (type) => {
      expect(found({ ...removal, type }, answer, states(before, before))).toEqual([])
      expect(found({ ...removal, type }, answer, states(before, { ...before, accessKeys: [] }))).toEqual([
        `${type} of UploadKeys upload-keys changed the upload keys`,
      ])
    },
  )

  it('accepts that a rotation changes keys during a request that takes long', () => {
    const changed = step(removal, answer, states(before, { ...before, accessKeys: [] }))
    const removalTrace = [
      { at: changed.from, line: '    0.000 RotateUploadKey -> secretsmanager PutSecretValue -> 200' },
    ]
    expect(removedKeys({ stackSteps: [{ ...changed, to: changed.from + 1000 }], trace: [], removalTrace })).toEqual([])
    expect(removedKeys({ stackSteps: [{ ...changed, to: changed.from }], trace: [], removalTrace })).toHaveLength(1)
  })
})
