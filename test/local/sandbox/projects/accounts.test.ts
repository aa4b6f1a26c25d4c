import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createAccounts } from '../../../../local/sandbox/projects/accounts.ts'
import { createIds } from '../../../../local/sandbox/state/ids.ts'
import { createStore } from '../../../../local/sandbox/state/store.ts'
import { createTransitions } from '../../../../local/sandbox/state/transitions.ts'
import { seededRandom } from '../open-sandbox.ts'

const NOW = 1_000_000

function openAccounts(random = seededRandom('accounts')) {
  const clock = createSteppedClock(NOW)
  const store = createStore()
  const transitions = createTransitions(store, clock)
  return { store, ...createAccounts({ store, ids: createIds(random), now: clock.now, transitions }) }
}

describe('createAccounts', () => {
  it('opens the stored account and project', () => {
    const { openAccount, openProject } = openAccounts()
    const [project, account] = [openProject(undefined), openAccount()]
    expect([openProject(undefined), openAccount()]).toEqual([project, account])
    expect(project).toMatchObject({ status: 'ACTIVE', createdAt: NOW })
    expect(project.usableFrom).toBeUndefined()
  })

  it('opens the given project with the given secret', () => {
    const { store, openProject } = openAccounts()
    openProject({ apiKey: '100001', apiSecret: 'one' })
    openProject({ apiKey: '100002', apiSecret: 'two' })
    expect(openProject({ apiKey: '100001', apiSecret: 'other' })).toMatchObject({ id: '100001', secret: 'other' })
    expect(store.projects.find().map(({ id, secret }) => [id, secret])).toEqual([
      ['100001', 'other'],
      ['100002', 'two'],
    ])
  })

  it('completes a project record from before accounts', () => {
    const { store, openProject } = openAccounts()
    store.projects.insert({ id: '100001', secret: 'kept', createdAt: 7 } as never)
    expect(openProject(undefined)).toEqual({
      id: '100001',
      secret: 'kept',
      name: '',
      status: 'ACTIVE',
      createdAt: 7,
      updatedAt: 7,
    })
    expect(store.projects.get('100001')?.status).toBe('ACTIVE')
  })

  it('returns no key twice', () => {
    const numbers = [5, 5, 5, 6, 6, 7]
    const random = (bytes: number) => {
      const buffer = Buffer.alloc(bytes)
      if (bytes === 4) buffer.writeUInt32BE(numbers.shift() ?? 0)
      return buffer
    }
    const { openProject, openAccount, createProject } = openAccounts(random)
    const keys = [openProject(undefined).id, openAccount().id, createProject('').id]
    expect(keys).toEqual(['10000005', '10000006', '10000007'])
  })
})
