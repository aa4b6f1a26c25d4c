import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createStore } from '../../../../local/sandbox/state/store.ts'

function openProjects() {
  const store = createStore()
  onTestFinished(() => store.close())
  const callbacks = { url: 'https://example.com/', secret: 'kept' }
  const project = { id: '10000001', secret: 'first', name: '', status: 'ACTIVE', createdAt: 1, updatedAt: 1 } as const
  store.projects.insert({ ...project, callbacks })
  return { projects: store.projects, project: { ...project, callbacks } }
}

describe('createStore', () => {
  it('returns a record as it is after every change', () => {
    const { projects, project } = openProjects()
    const { id } = project
    expect(projects.get(id)).toEqual(project)
    projects.update(id, { secret: 'second' })
    expect(projects.get(id)).toEqual({ ...project, secret: 'second' })
    projects.replace({ ...project, secret: 'third' })
    expect(projects.get(id)).toEqual({ ...project, secret: 'third' })
    projects.remove(id)
    expect(projects.get(id)).toBeUndefined()
    projects.insert(project)
    expect(projects.get(id)).toEqual(project)
  })

  it('freezes the records that it shares', () => {
    const { projects, project } = openProjects()
    const got = projects.get(project.id) as { secret: string; callbacks: { secret: string } }
    expect(() => Object.assign(got, { secret: 'mine' })).toThrow(TypeError)
    expect(() => Object.assign(got.callbacks, { secret: 'mine' })).toThrow(TypeError)
    expect(projects.get(project.id)).toEqual(project)
  })

  it('returns each of more records than it caches', () => {
    const { projects, project } = openProjects()
    const ids = Array.from({ length: 1_500 }, (_, index) => String(20_000_000 + index))
    for (const id of ids) projects.insert({ ...project, id })
    for (const id of [...ids, ...ids]) expect(projects.get(id)?.id).toBe(id)
  })

  it.each([
    [{ offset: 0, count: 4 }, ['3', '2', '1']],
    [{ offset: 0, count: 3 }, ['3', '2', '1']],
    [{ offset: 0, count: 2 }, ['3', '2']],
    [{ offset: 2, count: 2 }, ['1']],
    [{ offset: 3, count: 2 }, []],
  ])('returns the page %o of the matches with their total', (page, ids) => {
    const { projects, project } = openProjects()
    for (const id of ['1', '2', '3']) projects.insert({ ...project, id, name: 'Wanted' })
    const { total, items } = projects.page({ name: 'Wanted' }, page)
    expect([total, items.map(({ id }) => id)]).toEqual([3, ids])
  })

  it('commits the changes of one turn together, before anything else happens', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'sandbox-store-'))
    onTestFinished(() => rm(parent, { recursive: true }))
    const store = createStore(join(parent, 'live'))
    const look = (name: string) => {
      cpSync(join(parent, 'live'), join(parent, name), { recursive: true })
      const copy = createStore(join(parent, name))
      const ids = copy.accounts.find().map(({ id }) => id)
      copy.close()
      return ids
    }
    store.accounts.insert({ id: '1', secret: 'one' })
    store.accounts.insert({ id: '2', secret: 'two' })
    expect(look('in the midst')).toEqual([])
    await Promise.resolve()
    expect(look('afterwards')).toEqual(['1', '2'])
    store.accounts.remove('1')
    store.close()
    expect(look('closed')).toEqual(['2'])
  })
})
