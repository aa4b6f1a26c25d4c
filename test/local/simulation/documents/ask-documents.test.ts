import { describe, expect, it, vi } from 'vitest'
import { askDocuments, DRY_RUN } from '../../../../local/simulation/documents/ask-documents.ts'

const worldWith = (callApi: () => Promise<Response>) => {
  const aws = vi.fn(async () => Response.json({ ARN: 'arn', Name: 'documents' }))
  const world = {
    callApi: vi.fn(callApi),
    clock: { now: () => 0, sleep: vi.fn(async () => {}) },
    cloud: { aws, credentials: { accessKeyId: 'id', secretAccessKey: 'key' } },
    observer: { variable: () => 'shows/', newId: () => 'an-id' },
  }
  return { ...world, ask: (...what: string[]) => askDocuments(world as never, what) }
}

describe('askDocuments', () => {
  it('asks for a dry run of each case under its own key, also after an answer was lost', async () => {
    const { ask, callApi } = worldWith(async () => {
      throw new Error('lost')
    })
    await ask('a title of 256 characters', 'an empty title')
    const asked = callApi.mock.calls.map((call) => (call as unknown[])[0])
    expect(asked).toMatchObject([
      { method: 'POST', path: DRY_RUN, key: 'dry run: a title of 256 characters', body: { name: 'n'.repeat(256) } },
      { key: 'dry run: an empty title', body: { name: '', duration: 600 } },
    ])
  })

  it('changes nothing without cases', async () => {
    const { ask, callApi, cloud } = worldWith(async () => new Response())
    await ask()
    expect(callApi).not.toHaveBeenCalled()
    expect(cloud.aws).not.toHaveBeenCalled()
  })
})
