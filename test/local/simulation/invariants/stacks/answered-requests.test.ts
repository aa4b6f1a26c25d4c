import { describe, expect, it } from 'vitest'
import type { StackStep } from '../../../../../local/simulation/deploying/stack.ts'
import { answeredRequests } from '../../../../../local/simulation/invariants/stacks/answered-requests.ts'
import { before, created, creation, failure, fault, step, success } from './made-up-steps.ts'

const found = (...stackSteps: StackStep[]) => answeredRequests({ stackSteps })
const update = { type: 'Update', physicalId: '200' } as const
const unchanged = { before: created, after: created }

describe('answeredRequests', () => {
  it('accepts a request that is carried out, and one that is refused with a reason', () => {
    const renaming = step({ ...update, name: 'Renamed' }, failure('200'), unchanged)
    const nameless = step({ type: 'Create', name: '' }, failure('never-made'), { after: before })
    const another = step({ type: 'Create', name: 'Another' }, failure('never-made'), unchanged)
    expect(found(creation, step(update, success('200'), unchanged), renaming, nameless, another)).toEqual([])
  })

  it.each([
    ['a fault of a call that is not repeated', [fault('secretsmanager PutSecretValue', '500')]],
    ['several faults', [fault('platform createProject'), fault('platform getProject')]],
  ])('accepts a request that fails after %s', (_, faults) => {
    expect(found(step({ type: 'Create' }, failure('never-made'), { after: before, faults }))).toEqual([])
  })

  it.each([
    ['no fault', []],
    ['a fault of a call that is repeated', [fault('platform createProject')]],
    ['the end of the function', [fault('secretsmanager PutSecretValue', 'killed after')]],
    ['an answer that is lost', [fault('cloudformation answer', '500')]],
  ])('finds a request that fails after %s', (_, faults) => {
    expect(found(step({ type: 'Create' }, failure('never-made'), { after: before, faults }))).toEqual([
      'Create of Project failed: It failed.',
    ])
  })

  it('finds a request without an answer, unless every attempt fails', () => {
    const faults = Array.from({ length: 3 }, () => fault('cloudformation answer', '500'))
    expect(found(step({ type: 'Create' }, undefined, { faults: faults.slice(1) }))).toEqual([
      'Create of Project was not answered',
    ])
    expect(found(step({ type: 'Create' }, undefined, { faults }))).toEqual([])
  })

  it.each([
    ['was answered with the ids of another request', success('200', { RequestId: 'another' })],
    ['was answered with the status DONE', success('200', { Status: 'DONE' })],
    ['failed without a reason', failure('200', '')],
    ['was answered with the physical id 201', success('201')],
  ])('finds that a request %s', (problem, answer) => {
    expect(found(step(update, answer, unchanged))).toContain(`Update of Project 200 ${problem}`)
  })

  it('finds an answer without a physical id, and one with another key than that of the project', () => {
    expect(found(step({ type: 'Create' }, success('')))).toContain(
      'Create of Project was answered without a physical id',
    )
    expect(found(step({ type: 'Create' }, success('200', { Data: {} })))).toEqual([
      'Create of Project was answered with the project 200 and the key undefined',
    ])
    expect(found(step({ type: 'Create' }, success('300')))).toEqual([
      'Create of Project was answered with the project 300 and the key 300',
    ])
  })

  it.each([
    ['renames', { ...update, name: 'Renamed' }],
    ['replaces', { type: 'Create', name: 'Another' } as const],
  ])('finds a request that %s the project', (_, request) => {
    expect(found(step(request, success('200'), unchanged)).join()).toContain('was carried out, although it cannot be')
  })
})
