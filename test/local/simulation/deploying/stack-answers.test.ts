import { describe, expect, it } from 'vitest'
import {
  createStackAnswers,
  physicalIdOf,
  type StackAnswer,
} from '../../../../local/simulation/deploying/stack-answers.ts'

const elsewhere = async () => new Response('AWS')

describe('createStackAnswers', () => {
  it('receives every answer at an address, and none at others', async () => {
    const received: StackAnswer[] = []
    const answers = createStackAnswers(() => 'abc')
    const url = answers.expect((answer) => received.push(answer))
    const put = (to: string, method = 'PUT') => {
      const body = method === 'PUT' ? JSON.stringify({ Status: 'SUCCESS' }) : null
      return answers.read(elsewhere)(new Request(to, { method, body }))
    }
    expect([(await put(url)).status, (await put(url)).status]).toEqual([200, 200])
    expect([(await put(`${url}d`)).status, (await put(url, 'GET')).status]).toEqual([403, 403])
    expect(await (await put('http://127.0.0.1/bucket', 'GET')).text()).toBe('AWS')
    expect(received).toEqual([{ Status: 'SUCCESS' }, { Status: 'SUCCESS' }])
  })
})

describe('physicalIdOf', () => {
  const names = { stack: 'Simulated', logicalId: 'Project' }

  it('returns the physical id of an answer, also of a failure', () => {
    expect(physicalIdOf({ PhysicalResourceId: 'never-made' }, names, () => 'abc')).toBe('never-made')
  })

  it.each([
    ['no answer', undefined],
    ['an answer without a physical id', { PhysicalResourceId: '' }],
  ])('generates one after %s', (_, answer) => {
    expect(physicalIdOf(answer, names, () => '0a1b')).toBe('Simulated-Project-0A1B')
  })
})
