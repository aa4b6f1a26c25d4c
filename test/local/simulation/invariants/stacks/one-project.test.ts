import { describe, expect, it } from 'vitest'
import type { StackStep } from '../../../../../local/simulation/deploying/stack.ts'
import type { StackState } from '../../../../../local/simulation/deploying/stack-state.ts'
import { oneProject } from '../../../../../local/simulation/invariants/stacks/one-project.ts'
import { before, created, creation, failure, holding, other, project, step, success } from './made-up-steps.ts'

const found = (...stackSteps: StackStep[]) => oneProject({ stackSteps })
const suspended: StackState = {
  ...created,
  projects: [other, project('200', { status: 'SUSPENDED' })],
  projectSecret: { ...holding('200'), isAccepted: false },
}
const update = { type: 'Update', physicalId: '200' } as const
const removal = { type: 'Delete', physicalId: '200' } as const
const byHand = (after: StackState): StackStep => ({
  ...{ from: 0, to: 0, before: created, after, faults: [], act: { kind: 'other', words: 'by hand' } },
})

describe('oneProject', () => {
  it('accepts a project that is created, suspended, made active and deleted', () => {
    const steps = [
      creation,
      step({ type: 'Create' }, success('200'), { before: created }),
      step({ ...update, status: 'SUSPENDED' }, success('200'), { before: created, after: suspended }),
      step(update, success('200'), { before: suspended }),
      step(removal, success('200'), { before: created, after: before }),
      step(removal, success('200'), { after: before }),
    ]
    expect(found(...steps)).toEqual([])
  })

  it('accepts that a failed creation leaves a project, until it is rolled back', () => {
    const left = { ...before, projects: [other, project('200')] }
    const rollback = step({ type: 'Delete', physicalId: 'never-made' }, success('never-made'), {
      before: left,
      after: before,
    })
    expect(found(step({ type: 'Create' }, failure('never-made'), { after: left }), rollback)).toEqual([])
  })

  it.each<[string, Partial<StackState>]>([
    ['the stack has 2 projects', { projects: [other, project('200'), project('201')] }],
    ['the stack has no project', { projects: [other] }],
    ['the project has the name Another', { projects: [other, project('200', { name: 'Another' })] }],
    ['the project is SUSPENDED', { projects: [other, project('200', { status: 'SUSPENDED' })] }],
    ['the secret holds the key 100, and the project is 200', { projectSecret: holding('100') }],
    ['the platform refuses the secret', { projectSecret: { ...holding('200'), isAccepted: false } }],
  ])('finds that %s', (problem, after) => {
    const made = step({ type: 'Create' }, success('200'), { after: { ...created, ...after } })
    expect(found(made)).toEqual([`after Create of Project, ${problem}`])
  })

  it('finds another project that is changed', () => {
    const after = { ...created, projects: [{ ...other, status: 'SUSPENDED' }, project('200')] }
    expect(found(step({ type: 'Create' }, success('200'), { after }))).toEqual([
      'the project 100, which the stack has not created, was changed or deleted',
    ])
  })

  it.each<[string, Partial<StackState>]>([
    ['the secret is written', { projectSecret: holding('200', 'third') }],
    ['the secret of the project is replaced', { projects: [other, project('200', { secretSha256: 'new' })] }],
  ])('finds that %s by an order that changes nothing', (_, after) => {
    const updated = step(update, success('200'), { before: created, after: { ...created, ...after } })
    expect(found(creation, updated)).toEqual([
      'after Update of Project 200, something has changed, although nothing was ordered',
    ])
  })

  it('finds that a refused order has an effect', () => {
    const renaming = step({ ...update, name: 'Renamed' }, failure('200'), { before: created, after: suspended })
    expect(found(creation, renaming)).toEqual([
      'after Update of Project 200, something has changed, although it was refused',
    ])
  })

  it('finds that a removal leaves the project or its key', () => {
    expect(found(creation, step(removal, success('200'), { before: created }))).toEqual([
      'after Delete of Project 200, the project exists',
      'after Delete of Project 200, the secret is not empty',
    ])
  })

  it('accepts that a project which was put into the secret becomes usable during a removal', () => {
    const usable = { ...created, projects: [...created.projects, project('300')], projectSecret: holding('300') }
    const another = { ...usable, projectSecret: { ...usable.projectSecret, isAccepted: false } }
    const kept = (from: StackState, to: StackState) => step(removal, success('200'), { before: from, after: to })
    expect(found(creation, byHand(another), kept(another, usable))).toEqual([])
    expect(found(creation, byHand(usable), kept(usable, another))).toHaveLength(1)
  })

  it('finds a removal that deletes a project whose key the secret does not hold', () => {
    const another = { ...created, projects: [...created.projects, project('300')], projectSecret: holding('300') }
    const kept = step(removal, success('200'), { before: another, after: another })
    expect(found(creation, byHand(another), kept)).toEqual([])
    const after = { ...another, projects: [other, project('300')] }
    expect(found(creation, byHand(another), step(removal, success('200'), { before: another, after }))).toEqual([
      'after Delete of Project 200, something has changed, although the secret holds another key',
    ])
  })
})
